package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protojson"
	v1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager"
	cpustate "k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/state"
	"k8s.io/kubernetes/pkg/kubelet/cm/cpumanager/topology"
	"k8s.io/kubernetes/pkg/kubelet/cm/memorymanager"
	memorystate "k8s.io/kubernetes/pkg/kubelet/cm/memorymanager/state"
	"k8s.io/utils/cpuset"
)

// machine is a made-up machine, and the pods that come to it, in their order.
type machine struct {
	Nodes []struct {
		CPUs         []int  `json:"cpus"`
		MemoryBytes  uint64 `json:"memoryBytes"`
		HugePages2Mi uint64 `json:"hugePages2Mi"`
	} `json:"nodes"`
	ReservedCPU   int       `json:"reservedCPU"`
	ReservedBytes uint64    `json:"reservedBytes"`
	Pods          []*v1.Pod `json:"pods"`
}

// played is what the kubelet's static managers gave, and what they have left, by their own states.
type played struct {
	List        json.RawMessage           `json:"list"`
	Allocatable json.RawMessage           `json:"allocatable"`
	FreeCPUs    []int                     `json:"freeCPUs"`
	FreeMemory  map[int]map[string]uint64 `json:"freeMemory"`
	Refused     []string                  `json:"refused"`
}

// allocate lets the static policies of the CPU and the memory manager give resources to pods.
func allocate() error {
	turnOnPodLevel()
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var given machine
		if err := json.Unmarshal(in.Bytes(), &given); err != nil {
			return err
		}
		if err := allocateOn(given); err != nil {
			return err
		}
	}
	return in.Err()
}

func allocateOn(given machine) error {
	info := &machineInfo{NumSockets: len(given.Nodes)}
	reserved := map[int]map[v1.ResourceName]uint64{}
	for id, node := range given.Nodes {
		cores := []machineCore{}
		for _, cpu := range node.CPUs {
			cores = append(cores, machineCore{Id: cpu, Threads: []int{cpu}, SocketID: id})
		}
		info.NumCores += len(node.CPUs)
		info.NumPhysicalCores += len(node.CPUs)
		info.Topology = append(info.Topology, machineNode{
			Id: id, Memory: node.MemoryBytes, Cores: cores,
			HugePages: []machinePages{{PageSize: 2048, NumPages: node.HugePages2Mi}},
		})
		reserved[id] = map[v1.ResourceName]uint64{v1.ResourceMemory: given.ReservedBytes}
	}
	logger := klog.Background()
	cpus, err := topology.Discover(logger, info)
	if err != nil {
		return err
	}
	reservedCPUs := cpuset.New(given.ReservedCPU)
	cpuPolicy, err := cpumanager.NewStaticPolicy(logger, cpus, 1, reservedCPUs, topologyManager(logger), map[string]string{})
	if err != nil {
		return err
	}
	memoryPolicy, err := memorymanager.NewPolicyStatic(logger, info, reserved, topologyManager(logger))
	if err != nil {
		return err
	}
	cpuState, memoryState := cpustate.NewMemoryState(logger), memorystate.NewMemoryState(logger)
	if err := cpuPolicy.Start(logger, cpuState); err != nil {
		return err
	}
	if err := memoryPolicy.Start(logger, memoryState); err != nil {
		return err
	}
	answer := played{FreeMemory: map[int]map[string]uint64{}}
	list := &api.ListPodResourcesResponse{}
	for _, pod := range given.Pods {
		resources := &api.PodResources{Name: pod.Name, Namespace: pod.Namespace}
		if pod.Spec.Resources != nil {
			err = allocatePod(logger, cpuPolicy, cpuState, memoryPolicy, memoryState, pod)
			tellPod(resources, cpuState, memoryState, string(pod.UID))
		}
		for i := range pod.Spec.Containers {
			container := &pod.Spec.Containers[i]
			if pod.Spec.Resources == nil {
				err = allocateContainer(logger, cpuPolicy, cpuState, memoryPolicy, memoryState, pod, container)
			}
			if err != nil {
				answer.Refused = append(answer.Refused, fmt.Sprintf("%s: %v", pod.Name, err))
				forget(logger, cpuPolicy, cpuState, memoryPolicy, memoryState, pod)
				break
			}
			if pod.Spec.Resources != nil && len(container.Resources.Requests) == 0 {
				// It shares what the pod has (GetCPUs and GetMemory in container_manager_linux.go).
				resources.Containers = append(resources.Containers, &api.ContainerResources{Name: container.Name})
				continue
			}
			exclusive, _ := cpuState.GetCPUSet(string(pod.UID), container.Name)
			resources.Containers = append(resources.Containers, &api.ContainerResources{
				Name:   container.Name,
				CpuIds: idsOf(exclusive),
				Memory: blocksOf(memoryState.GetMemoryBlocks(string(pod.UID), container.Name)),
			})
		}
		if err == nil {
			list.PodResources = append(list.PodResources, resources)
		}
		err = nil
	}
	all := &api.AllocatableResourcesResponse{
		CpuIds: idsOf(cpuPolicy.GetAllocatableCPUs(cpuState)),
		Memory: blocksOf(memoryPolicy.GetAllocatableMemory(memoryState)),
	}
	answer.FreeCPUs = cpuState.GetDefaultCPUSet().Difference(reservedCPUs).List()
	for node, state := range memoryState.GetMachineState() {
		answer.FreeMemory[node] = map[string]uint64{}
		for name, table := range state.MemoryMap {
			answer.FreeMemory[node][string(name)] = table.Free
		}
	}
	if answer.List, err = protojson.Marshal(list); err != nil {
		return err
	}
	if answer.Allocatable, err = protojson.Marshal(all); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}

// forget takes back what a pod was given that is not admitted.
func forget(logger klog.Logger, cpus cpumanager.Policy, cpuState cpustate.State, memory memorymanager.Policy, memoryState memorystate.State, pod *v1.Pod) {
	for _, container := range pod.Spec.Containers {
		_ = cpus.RemoveContainer(logger, cpuState, string(pod.UID), container.Name)
		memory.RemoveContainer(logger, memoryState, string(pod.UID), container.Name)
	}
}

func idsOf(set cpuset.CPUSet) []int64 {
	ids := []int64{}
	for _, id := range set.UnsortedList() {
		ids = append(ids, int64(id))
	}
	return ids
}

func blocksOf(blocks []memorystate.Block) []*api.ContainerMemory {
	memory := []*api.ContainerMemory{}
	for _, block := range blocks {
		nodes := []*api.NUMANode{}
		for _, id := range block.NUMAAffinity {
			nodes = append(nodes, &api.NUMANode{ID: int64(id)})
		}
		memory = append(memory, &api.ContainerMemory{MemoryType: string(block.Type), Size: block.Size, Topology: &api.TopologyInfo{Nodes: nodes}})
	}
	return memory
}
