//go:build kubelet136

package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
	v1 "k8s.io/api/core/v1"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
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
