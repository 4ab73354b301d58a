// Command bench is a client in Go that is measured beside those in Node.js: it reads orders as lines of JSON, and reports
// as such. It uses the kubelet's generated client, and decodes whole pods.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
)

const (
	lastPod = types.UID("bbbbbbbb-0000-4000-8000-000000999999")
	// The time between two attempts at a watch, as its callers write it.
	again = time.Second
	// Every call of a careful caller has a deadline.
	timeout = time.Minute
	// As many calls at once, and pauses as long, as of the other clients.
	burst = 8
	pause = 120 * time.Millisecond
)

type order struct {
	Op      string
	Times   int
	PauseMs *int
	Pods    []struct{ UID string }
}

type report map[string]any

type bench struct {
	client podsv1alpha1.PodsClient
	out    *json.Encoder

	mu      sync.Mutex
	cancel  context.CancelFunc
	kept    map[types.UID]*v1.Pod
	started time.Time
	cpu     time.Duration
	events  int
	late    []float64
}

func main() {
	socket := flag.String("socket", "", "path of the socket")
	flag.Parse()
	unlimited := grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(1 << 30))
	conn, err := grpc.NewClient("unix:"+*socket, grpc.WithTransportCredentials(insecure.NewCredentials()), unlimited)
	if err != nil {
		panic(err)
	}
	b := &bench{client: podsv1alpha1.NewPodsClient(conn), out: json.NewEncoder(os.Stdout), cancel: func() {}}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			panic(err)
		}
		b.do(o)
	}
}

func (b *bench) do(o order) {
	ctx := context.Background()
	switch o.Op {
	case "get":
		b.repeat(o, func(i int) error {
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			answer, err := b.client.GetPod(ctx, &podsv1alpha1.GetPodRequest{PodUID: o.Pods[i%len(o.Pods)].UID})
			if err != nil {
				return err
			}
			return new(v1.Pod).Unmarshal(answer.Pod)
		})
	case "list":
		b.repeat(o, func(int) error {
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			answer, err := b.client.ListPods(ctx, &podsv1alpha1.ListPodsRequest{})
			if err != nil {
				return err
			}
			pods := make([]v1.Pod, len(answer.Pods))
			for i := range pods {
				if err := pods[i].Unmarshal(answer.Pods[i]); err != nil {
					return err
				}
			}
			return nil
		})
	case "watch":
		b.mu.Lock()
		b.cancel()
		ctx, b.cancel = context.WithCancel(ctx)
		b.started = time.Now()
		b.mu.Unlock()
		go b.watch(ctx)
	case "events":
		b.mu.Lock()
		b.events, b.late, b.started, b.cpu = 0, nil, time.Now(), used()
		b.mu.Unlock()
		b.tell(report{"ready": true})
	case "memory":
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.tell(report{"rss": rss(), "heap": m.HeapAlloc})
		runtime.KeepAlive(b.kept)
	}
}

func (b *bench) tell(r report) {
	b.mu.Lock()
	defer b.mu.Unlock()
	_ = b.out.Encode(r)
}

func (b *bench) repeat(o order, call func(i int) error) {
	times, pause := o.Times, pause
	if o.PauseMs != nil {
		pause = time.Duration(*o.PauseMs) * time.Millisecond
	}
	took := make([]float64, times)
	var cpu time.Duration
	for i := 0; i < times; {
		time.Sleep(pause)
		before := used()
		for end := min(times, i+burst); i < end; i++ {
			started := time.Now()
			if err := call(i); err != nil {
				b.tell(report{"error": err.Error()})
				return
			}
			took[i] = ms(time.Since(started))
		}
		cpu += used() - before
	}
	slices.Sort(took)
	b.tell(report{
		"cpuUs": float64(cpu.Microseconds()) / float64(times),
		"p50Ms": took[times/2],
		"p99Ms": took[times*99/100],
	})
}

func (b *bench) watch(ctx context.Context) {
	for ; ctx.Err() == nil; time.Sleep(again) {
		kept := map[types.UID]*v1.Pod{}
		stream, err := b.client.WatchPods(ctx, &podsv1alpha1.WatchPodsRequest{}, grpc.WaitForReady(true))
		if err != nil {
			continue
		}
		for {
			event, err := stream.Recv()
			if err != nil {
				break
			}
			if event.Type == podsv1alpha1.EventType_INITIAL_SYNC_COMPLETE {
				b.mu.Lock()
				b.kept = kept
				synced := ms(time.Since(b.started))
				b.mu.Unlock()
				b.tell(report{"syncedMs": synced})
				continue
			}
			pod := &v1.Pod{}
			if err := pod.Unmarshal(event.Pod); err != nil {
				panic(err)
			}
			kept[pod.UID] = pod
			b.event(pod)
		}
	}
}

func (b *bench) event(pod *v1.Pod) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events++
	if state := pod.Labels["state"]; len(state) > 9 && pod.UID != lastPod {
		sent, _ := strconv.ParseInt(state, 10, 64)
		b.late = append(b.late, float64(monotonic()-sent)/1e6)
	}
	if pod.UID != lastPod {
		return
	}
	r := report{"events": b.events, "ms": ms(time.Since(b.started)), "cpuUs": (used() - b.cpu).Microseconds()}
	slices.Sort(b.late)
	if n := len(b.late); n > 0 {
		r["lateMs"] = []float64{b.late[n/2], b.late[n*99/100]}
	}
	_ = b.out.Encode(r)
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// used is the CPU time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// monotonic is the clock that process.hrtime reads too.
func monotonic() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

func rss() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmRSS:" {
			kib, _ := strconv.Atoi(fields[1])
			return kib * 1024
		}
	}
	return 0
}
