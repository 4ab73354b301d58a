// Command kubelet serves the Pods API with the kubelet's own code: its pods server, its rate limiter, its
// listener helper and, in real mode, its pod manager and status manager. Everything else of a kubelet is left
// out: no runtime, no API server, no cadvisor. What happens to pods is told over standard input, one JSON
// object per line; every line is answered by one JSON object on standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	criutil "k8s.io/cri-client/pkg/util"
	"k8s.io/klog/v2"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
	"k8s.io/kubernetes/pkg/kubelet/util"
)

// maxLine bounds one command: a pod may be large, and an "add" may carry a whole node.
const maxLine = 256 << 20

func main() {
	dir := flag.String("dir", "", "directory for the socket, in the place of /var/lib/kubelet/pods-api")
	mode := flag.String("mode", "verbatim", "verbatim: status as given; real: the kubelet's own status manager")
	ready := flag.Bool("ready", true, "whether the pod sources have been read at start")
	verbose := flag.Bool("v", false, "let the kubelet's log go to standard error")
	flag.Parse()
	if *dir == "" || (*mode != "verbatim" && *mode != "real") {
		flag.Usage()
		os.Exit(2)
	}
	if !*verbose {
		klog.LogToStderr(false)
		klog.SetOutput(io.Discard)
	}
	if err := run(*dir, *mode, *ready); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, mode string, ready bool) error {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()

	node := newNode(ctx, mode == "real", ready)
	server := newGRPCServer(ctx)
	podsv1alpha1.RegisterPodsServer(server, node.server)

	endpoint, err := util.LocalEndpoint(dir, socketName)
	if err != nil {
		return err
	}
	listener, err := criutil.CreateListener(endpoint)
	if err != nil {
		return err
	}
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()

	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	started := map[string]any{"kubelet": kubeletVersion, "socket": filepath.Join(dir, socketName+".sock"), "mode": mode}
	if err := out.Encode(started); err != nil {
		return err
	}

	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 0, 1<<20), maxLine)
	for lines.Scan() {
		var c command
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			_ = out.Encode(answer{Error: "bad command: " + err.Error()})
			continue
		}
		if c.Op == "stop" {
			_ = out.Encode(answer{ID: c.ID, OK: true})
			stop()
			gracefully(server, time.Duration(c.GraceMs)*time.Millisecond)
			return <-serving
		}
		if err := out.Encode(node.do(c)); err != nil {
			return err
		}
	}
	server.Stop()
	<-serving
	return lines.Err()
}

// gracefully stops as the kubelet does when its context ends: GracefulStop, until the process is gone. A watch
// that stays open would hold it for ever, so the process goes after grace.
func gracefully(server *grpc.Server, grace time.Duration) {
	done := make(chan struct{})
	go func() { server.GracefulStop(); close(done) }()
	select {
	case <-done:
	case <-time.After(grace):
		server.Stop()
		<-done
	}
}
