//go:build kubelet136

package main

import (
	"context"
	"fmt"
	"time"

	cadvisor "github.com/google/cadvisor/info/v1"
	"google.golang.org/grpc"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	memorystate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
)

type (
	machineInfo  = cadvisor.MachineInfo
	machineNode  = cadvisor.Node
	machineCore  = cadvisor.Core
	machinePages = cadvisor.HugePagesInfo
)

func getV1Client(ctx context.Context, socket string) (api.PodResourcesListerClient, *grpc.ClientConn, error) {
	return podresources.GetV1Client(socket, 10*time.Second, 1<<24)
}

func newServer(m *managers) api.PodResourcesListerServer {
	return podresources.NewV1PodResourcesServer(context.Background(), podresources.PodResourcesProviders{
		Pods: m, Devices: m, Cpus: m, Memory: m, DynamicResources: m,
	})
}

func (m *managers) UpdateAllocatedDevices()                        {}
func (m *managers) GetAllocatableDevices() []*api.ContainerDevices { return m.allocatable.Devices }
func (m *managers) GetCPUs(podUID, container string) []int64 {
	return m.of(podUID, container).CpuIds
}
func (m *managers) GetAllocatableCPUs() []int64 { return m.allocatable.CpuIds }
func (m *managers) GetMemory(podUID, container string) []*api.ContainerMemory {
	return m.of(podUID, container).Memory
}
func (m *managers) GetAllocatableMemory() []*api.ContainerMemory { return m.allocatable.Memory }
func (m *managers) GetDynamicResources(pod *v1.Pod, container *v1.Container) []*api.DynamicResource {
	return m.of(string(pod.UID), container.Name).DynamicResources
}

func topologyManager(klog.Logger) topologymanager.Manager {
	return topologymanager.NewFakeManager()
}

func allocateContainer(logger klog.Logger, cpus cpumanager.Policy, cpuState cpustate.State, memory memorymanager.Policy, memoryState memorystate.State, pod *v1.Pod, container *v1.Container) error {
	if err := cpus.Allocate(logger, cpuState, pod, container); err != nil {
		return err
	}
	return memory.Allocate(logger, memoryState, pod, container)
}

// Pods have nothing as a whole here.
func allocatePod(klog.Logger, cpumanager.Policy, cpustate.State, memorymanager.Policy, memorystate.State, *v1.Pod) error {
	return fmt.Errorf("not before 1.37")
}

func tellPod(*api.PodResources, cpustate.State, memorystate.State, string) {}

func turnOnPodLevel() {}
