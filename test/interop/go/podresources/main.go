// Serves the podresources API by the kubelet's own code, with managers that have been told what they gave; and reads it
// with the kubelet's own client. Answers go through protobuf's JSON, which knows no field that the Go types do not.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	v1 "k8s.io/api/core/v1"
	api "k8s.io/kubelet/pkg/apis/podresources/v1"
	apisgrpc "k8s.io/kubernetes/pkg/kubelet/apis/grpc"
	"k8s.io/kubernetes/pkg/kubelet/apis/podresources"
)

type input struct {
	Pods        []*v1.Pod       `json:"pods"`
	List        json.RawMessage `json:"list"`
	Allocatable json.RawMessage `json:"allocatable"`
}

// managers say what they were told that they gave.
type managers struct {
	pods        []*v1.Pod
	given       map[string]*api.ContainerResources
	ofPods      map[string]*api.PodResources
	allocatable *api.AllocatableResourcesResponse
}

func (m *managers) GetActivePods() []*v1.Pod { return m.pods }
func (m *managers) GetPods() []*v1.Pod       { return m.pods }
func (m *managers) GetPodByName(namespace, name string) (*v1.Pod, bool) {
	for _, pod := range m.pods {
		if pod.Namespace == namespace && pod.Name == name {
			return pod, true
		}
	}
	return nil, false
}

func (m *managers) of(podUID, container string) *api.ContainerResources {
	if given := m.given[podUID+"/"+container]; given != nil {
		return given
	}
	return &api.ContainerResources{}
}

func (m *managers) GetDevices(podUID, container string) []*api.ContainerDevices {
	return m.of(podUID, container).Devices
}

func main() {
	socket := flag.String("socket", "", "path of the socket")
	kubelets := flag.Bool("kubelets", false, "dial as the kubelet's own GetV1Client does: a bare path, through a dialer")
	flag.Parse()
	var err error
	if flag.Arg(0) == "serve" {
		err = serve(*socket)
	} else if flag.Arg(0) == "allocate" {
		err = allocate()
	} else {
		err = read(*socket, *kubelets, flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(socket string) error {
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return err
	}
	var given input
	if err := json.Unmarshal(line, &given); err != nil {
		return err
	}
	var list api.ListPodResourcesResponse
	m := &managers{
		pods:        given.Pods,
		given:       map[string]*api.ContainerResources{},
		ofPods:      map[string]*api.PodResources{},
		allocatable: &api.AllocatableResourcesResponse{},
	}
	if err := protojson.Unmarshal(given.List, &list); err != nil {
		return err
	}
	if err := protojson.Unmarshal(given.Allocatable, m.allocatable); err != nil {
		return err
	}
	for _, resources := range list.PodResources {
		pod, known := m.GetPodByName(resources.Namespace, resources.Name)
		if !known {
			return fmt.Errorf("no pod %s", resources.Name)
		}
		m.ofPods[string(pod.UID)] = resources
		for _, container := range resources.Containers {
			m.given[string(pod.UID)+"/"+container.Name] = container
		}
	}
	limiter := rate.NewLimiter(rate.Limit(podresources.DefaultQPS), int(podresources.DefaultBurstTokens))
	server := grpc.NewServer(grpc.UnaryInterceptor(apisgrpc.LimiterUnaryServerInterceptor(limiter)))
	api.RegisterPodResourcesListerServer(server, newServer(m))
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	go func() {
		_, _ = in.ReadByte() // until standard input is closed
		server.Stop()
	}()
	return server.Serve(listener)
}

func dial(ctx context.Context, socket string, kubelets bool) (api.PodResourcesListerClient, *grpc.ClientConn, error) {
	if kubelets {
		return getV1Client(ctx, "unix://"+socket)
	}
	conn, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, err
	}
	return api.NewPodResourcesListerClient(conn), conn, nil
}

func read(socket string, kubelets bool, args []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	client, conn, err := dial(ctx, socket, kubelets)
	if err != nil {
		return err
	}
	defer conn.Close()
	var answer proto.Message
	switch args[0] {
	case "list":
		answer, err = client.List(ctx, &api.ListPodResourcesRequest{})
	case "allocatable":
		answer, err = client.GetAllocatableResources(ctx, &api.AllocatableResourcesRequest{})
	case "get":
		answer, err = client.Get(ctx, &api.GetPodResourcesRequest{PodNamespace: args[1], PodName: args[2]})
	default:
		return fmt.Errorf("unknown call %q", args[0])
	}
	if err != nil {
		fmt.Printf("%s: %s\n", status.Code(err), status.Convert(err).Message())
		return nil
	}
	text, err := protojson.Marshal(answer)
	if err != nil {
		return err
	}
	fmt.Println(string(text))
	return nil
}
