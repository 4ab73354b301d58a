//go:build !kubelet136

package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/klog/v2"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
)

func getV1Client(ctx context.Context, socket string) (api.PodResourcesListerClient, *grpc.ClientConn, error) {
	return podresources.GetV1Client(ctx, socket, 10*time.Second, 1<<24)
}

func newServer(m *managers) api.PodResourcesListerServer {
	// What is the pod's and no container's is told behind this gate alone.
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(map[string]bool{string(features.PodLevelResourceManagers): true, string(features.PodLevelResources): true}); err != nil {
		panic(err)
	}
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
