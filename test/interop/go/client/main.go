// Command client reads the Pods API with the kubelet's own generated Go client and prints what k8s.io/api makes
// of it, as Kubernetes JSON, one object per line.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	v1 "k8s.io/api/core/v1"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
)

func main() {
	socket := flag.String("socket", "", "path of the socket")
	uid := flag.String("uid", "", "with get: the pod's UID")
	bare := flag.Bool("bare", false, "dial the bare path through a dialer of its own, as many agents do")
	flag.Parse()
	if err := run(*socket, *bare, flag.Arg(0), *uid); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// dial connects in one of two ways. With a dialer of its own a client sends the path as the server's name: %2Frun%2Fx.sock.
func dial(socket string, bare bool) (*grpc.ClientConn, error) {
	unlimited := grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(1 << 30))
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials()), unlimited}
	if !bare {
		return grpc.NewClient("unix:"+socket, options...)
	}
	dialer := func(ctx context.Context, address string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", address)
	}
	return grpc.NewClient("passthrough:///"+socket, append(options, grpc.WithContextDialer(dialer))...)
}

func run(socket string, bare bool, method, uid string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := dial(socket, bare)
	if err != nil {
		return err
	}
	defer conn.Close()
	client := podsv1alpha1.NewPodsClient(conn)
	switch method {
	case "list":
		answer, err := client.ListPods(ctx, &podsv1alpha1.ListPodsRequest{})
		if err != nil {
			return err
		}
		for _, b := range answer.Pods {
			if err := show("", b); err != nil {
				return err
			}
		}
		return nil
	case "get":
		answer, err := client.GetPod(ctx, &podsv1alpha1.GetPodRequest{PodUID: uid})
		if err != nil {
			return err
		}
		return show("", answer.Pod)
	case "watch": // until the sync marker
		stream, err := client.WatchPods(ctx, &podsv1alpha1.WatchPodsRequest{})
		if err != nil {
			return err
		}
		for {
			event, err := stream.Recv()
			if err != nil {
				return err
			}
			if err := show(event.Type.String(), event.Pod); err != nil {
				return err
			}
			if event.Type == podsv1alpha1.EventType_INITIAL_SYNC_COMPLETE {
				return nil
			}
		}
	case "habits":
		return habits(ctx, client)
	}
	return fmt.Errorf("usage: client -socket PATH [-uid UID] list|get|watch|habits")
}

// show prints {"type": ..., "pod": ...}; a sync marker has no pod.
func show(kind string, bytes []byte) error {
	line := struct {
		Type string  `json:"type,omitempty"`
		Pod  *v1.Pod `json:"pod,omitempty"`
	}{Type: kind}
	if len(bytes) > 0 {
		line.Pod = &v1.Pod{}
		if err := line.Pod.Unmarshal(bytes); err != nil {
			return err
		}
		line.Pod.APIVersion, line.Pod.Kind = "v1", "Pod"
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(line)
}
