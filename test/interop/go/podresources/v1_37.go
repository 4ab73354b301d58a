//go:build !kubelet136

package main

import (
	"context"
	"time"

	cadvisor "github.com/google/cadvisor/lib/model"
	"google.golang.org/grpc"
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	memorystate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/topologymanager"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

type (
	machineInfo  = cadvisor.MachineInfo
	machineNode  = cadvisor.Node
	machineCore  = cadvisor.Core
	machinePages = cadvisor.HugePagesInfo
)

func getV1Client(ctx context.Context, socket string) (api.PodResourcesListerClient, *grpc.ClientConn, error) {
	return podresources.GetV1Client(ctx, socket, 10*time.Second, 1<<24)
}

func newServer(m *managers) api.PodResourcesListerServer {
	turnOnPodLevel()
	return podresources.NewV1PodResourcesServer(context.Background(), podresources.PodResourcesProviders{
		Pods: m, Devices: m, Cpus: m, Memory: m, DynamicResources: m,
	})
}

func (m *managers) UpdateAllocatedDevices(klog.Logger) {}
func (m *managers) GetAllocatableDevices(klog.Logger) []*api.ContainerDevices {
	return m.allocatable.Devices
}
func (m *managers) GetCPUs(pod *v1.Pod, container *v1.Container) []int64 {
	return m.of(string(pod.UID), container.Name).CpuIds
}
func (m *managers) GetPodCPUs(podUID string) []int64 { return m.ofPods[podUID].GetCpuIds() }
func (m *managers) GetAllocatableCPUs() []int64      { return m.allocatable.CpuIds }
func (m *managers) GetMemory(_ klog.Logger, pod *v1.Pod, container *v1.Container) []*api.ContainerMemory {
	return m.of(string(pod.UID), container.Name).Memory
}
func (m *managers) GetPodMemory(_ klog.Logger, podUID string) []*api.ContainerMemory {
	return m.ofPods[podUID].GetMemory()
}
func (m *managers) GetAllocatableMemory(klog.Logger) []*api.ContainerMemory {
	return m.allocatable.Memory
}
func (m *managers) GetDynamicResources(_ klog.Logger, pod *v1.Pod, container *v1.Container) []*api.DynamicResource {
	return m.of(string(pod.UID), container.Name).DynamicResources
}

func topologyManager(logger klog.Logger) topologymanager.Manager {
	return topologymanager.NewFakeManager(logger)
}

func allocateContainer(logger klog.Logger, cpus cpumanager.Policy, cpuState cpustate.State, memory memorymanager.Policy, memoryState memorystate.State, pod *v1.Pod, container *v1.Container) error {
	if err := cpus.Allocate(logger, cpuState, pod, container, lifecycle.AddOperation); err != nil {
		return err
	}
	return memory.Allocate(klog.NewContext(context.Background(), logger), memoryState, pod, container, lifecycle.AddOperation)
}

func allocatePod(logger klog.Logger, cpus cpumanager.Policy, cpuState cpustate.State, memory memorymanager.Policy, memoryState memorystate.State, pod *v1.Pod) error {
	if err := cpus.AllocatePod(logger, cpuState, pod, lifecycle.AddOperation); err != nil {
		return err
	}
	return memory.AllocatePod(logger, memoryState, pod, lifecycle.AddOperation)
}

// tellPod fills in what the pod has as a whole.
func tellPod(resources *api.PodResources, cpuState cpustate.State, memoryState memorystate.State, podUID string) {
	if set, known := cpuState.GetPodCPUSet(podUID); known {
		resources.CpuIds = idsOf(set)
	}
	resources.Memory = blocksOf(memoryState.GetPodMemoryBlocks(podUID))
}

// turnOnPodLevel turns on the gates behind which pods have resources as a whole.
func turnOnPodLevel() {
	gates := map[string]bool{string(features.PodLevelResourceManagers): true, string(features.PodLevelResources): true}
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		panic(err)
	}
}
