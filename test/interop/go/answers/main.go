// Command answers is a server of grpc-go that answers as a call asks it to, by the UID in it: what no kubelet says at will.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
)

// words is a message that has to be encoded to be sent.
const words = "50 % of “größe”\nis gone"

type server struct {
	podsv1alpha1.UnimplementedPodsServer
}

// failed is the status of this code, with details of that size where it is not 0.
func failed(code, detail string) error {
	number, err := strconv.Atoi(code)
	if err != nil {
		return err
	}
	s := status.New(codes.Code(number), words)
	if size, _ := strconv.Atoi(detail); size > 0 {
		if s, err = s.WithDetails(wrapperspb.String(strings.Repeat("d", size))); err != nil {
			return err
		}
	}
	return s.Err()
}

// GetPod knows status/CODE/DETAIL (trailers alone), late/CODE/DETAIL (after a head), and size/BYTES.
func (s *server) GetPod(ctx context.Context, in *podsv1alpha1.GetPodRequest) (*podsv1alpha1.GetPodResponse, error) {
	parts := append(strings.Split(in.GetPodUID(), "/"), "", "")
	switch parts[0] {
	case "late":
		if err := grpc.SendHeader(ctx, metadata.Pairs("x-early", "1")); err != nil {
			return nil, err
		}
		return nil, failed(parts[1], parts[2])
	case "size":
		size, err := strconv.Atoi(parts[1])
		if err != nil {
			return nil, err
		}
		return &podsv1alpha1.GetPodResponse{Pod: make([]byte, size)}, nil
	default:
		return nil, failed(parts[1], parts[2])
	}
}

// ListPods answers with 3 pods of 5 MB each.
func (s *server) ListPods(context.Context, *podsv1alpha1.ListPodsRequest) (*podsv1alpha1.ListPodsResponse, error) {
	pods := make([][]byte, 3)
	for i := range pods {
		pods[i] = make([]byte, 5_000_000)
		pods[i][0] = byte(i)
	}
	return &podsv1alpha1.ListPodsResponse{Pods: pods}, nil
}

// WatchPods sends an event of 5 MB, the marker, and ends with a status.
func (s *server) WatchPods(_ *podsv1alpha1.WatchPodsRequest, stream grpc.ServerStreamingServer[podsv1alpha1.WatchPodsEvent]) error {
	pod := make([]byte, 5_000_000)
	for _, event := range []*podsv1alpha1.WatchPodsEvent{
		{Type: podsv1alpha1.EventType_ADDED, Pod: pod},
		{Type: podsv1alpha1.EventType_INITIAL_SYNC_COMPLETE},
	} {
		if err := stream.Send(event); err != nil {
			return err
		}
	}
	return failed("8", "10")
}

func main() {
	socket := flag.String("socket", "", "path of the socket")
	flag.Parse()
	listener, err := net.Listen("unix", *socket)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	serving := grpc.NewServer(grpc.MaxSendMsgSize(1 << 30))
	podsv1alpha1.RegisterPodsServer(serving, &server{})
	fmt.Println("ready")
	if err := serving.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
