package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-logr/logr/funcr"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

const socketName = pods.Socket

// command is one line of standard input.
type command struct {
	ID      int64             `json:"id"`
	Op      string            `json:"op"`
	Pods    []json.RawMessage `json:"pods,omitempty"`
	UID     types.UID         `json:"uid,omitempty"`
	Value   bool              `json:"value,omitempty"`
	GraceMs int64             `json:"graceMs,omitempty"`
}

// answer is one line of standard output. Refused says why the kubelet's status manager threw an update away.
type answer struct {
	ID      int64  `json:"id"`
	OK      bool   `json:"ok"`
	Changed bool   `json:"changed,omitempty"`
	Refused string `json:"refused,omitempty"`
	Error   string `json:"error,omitempty"`
}

// node is what the server reads: the kubelet's pod manager, and a status provider that is either the kubelet's
// own manager (real) or says nothing, so that the status given with the pod is the one served (verbatim).
type node struct {
	manager  pod.Manager
	statuses status.Manager
	verbatim *verbatimStatuses
	server   podsv1alpha1.PodsServer
	notifier status.PodUpdateNotifier
	ready    *readiness
	// workers has every pod that was ever given: a worker outlives its pod's object.
	workers map[types.UID]*v1.Pod
}

func newNode(ctx context.Context, real, ready bool) *node {
	n := &node{manager: pod.NewBasicPodManager(), ready: &readiness{}, workers: map[types.UID]*v1.Pod{}}
	n.ready.value.Store(ready)
	var provider status.PodStatusProvider
	if real {
		n.statuses = status.NewManager(nil, n.manager, noRunningContainers{}, startupLatency{})
		provider = n.statuses
	} else {
		n.verbatim = &verbatimStatuses{byUID: map[types.UID]v1.PodStatus{}}
		provider = n.verbatim
	}
	server := newPodsServer(ctx, n.manager, provider, n.ready)
	n.server, n.notifier = server, server
	if real {
		n.statuses.AddPodUpdateNotifier(server)
	}
	return n
}

func (n *node) do(c command) answer {
	parsed := make([]*v1.Pod, len(c.Pods))
	for i, raw := range c.Pods {
		p := &v1.Pod{}
		if err := json.Unmarshal(raw, p); err != nil {
			return answer{ID: c.ID, Error: fmt.Sprintf("pods[%d]: %v", i, err)}
		}
		parsed[i] = p
	}
	a := answer{ID: c.ID, OK: true}
	switch c.Op {
	case "add", "update": // what the kubelet does first when a source gives it a pod: no event yet
		for _, p := range parsed {
			n.manager.UpdatePod(p)
			n.workers[p.UID] = p
			if n.verbatim != nil {
				n.verbatim.set(p)
			}
		}
	case "status": // the pod worker has computed a status: in real mode this is what emits
		for _, p := range parsed {
			changed, refused := n.setStatus(p, c.Value)
			a.Changed = a.Changed || changed
			if refused != "" {
				a.Refused = refused
			}
		}
	case "terminate": // the pod worker has finished the pod: emits DELETED
		p, ok := n.workers[c.UID]
		if !ok {
			return answer{ID: c.ID, Error: "terminate: no such pod"}
		}
		a.Refused = n.terminate(p)
	case "remove": // the object is gone at its source: no event
		p, ok := n.manager.GetPodByUID(c.UID)
		if !ok {
			return answer{ID: c.ID, Error: "remove: no such pod"}
		}
		n.manager.RemovePod(p)
	case "forget": // housekeeping: statuses of pods that are no longer known
		n.forgetOrphans()
	case "ready":
		n.ready.value.Store(c.Value)
	default:
		return answer{ID: c.ID, Error: "unknown op " + c.Op}
	}
	return a
}

// setStatus tells a status of the pod that the source has, or of the pod as its worker has it, with the resources
// that are allocated to it.
func (n *node) setStatus(p *v1.Pod, allocated bool) (changed bool, refused string) {
	current, ok := n.manager.GetPodByUID(p.UID)
	if !ok || allocated {
		current = p // a worker can outlive the object, and its status is broadcast all the same
	}
	if n.verbatim != nil {
		n.verbatim.set(p)
		n.updated(current, p.Status)
		return true, ""
	}
	logger, errors := catchErrors()
	_, changed = n.statuses.SetPodStatus(logger, current, p.Status)
	return changed, errors()
}

func (n *node) terminate(p *v1.Pod) (refused string) {
	logger, errors := catchErrors()
	if n.verbatim != nil {
		n.removed(p)
		return ""
	}
	n.statuses.TerminatePod(logger, p)
	return errors()
}

func (n *node) forgetOrphans() {
	if n.statuses == nil {
		return
	}
	known := map[types.UID]bool{}
	for _, p := range n.manager.GetPods() {
		known[p.UID] = true
	}
	n.statuses.RemoveOrphanedStatuses(klog.Background(), known)
}

// catchErrors gives a logger and what it was told at error level, which is the only place where the status
// manager says that it has refused an update.
func catchErrors() (klog.Logger, func() string) {
	var caught []string
	logger := funcr.New(func(_, args string) {
		if strings.Contains(args, `"error"=`) {
			caught = append(caught, args)
		}
	}, funcr.Options{})
	return logger, func() string { return strings.Join(caught, "; ") }
}

// readiness stands for the kubelet's sources (API server, files, URL): all read, or not yet.
type readiness struct{ value atomic.Bool }

func (r *readiness) AddSource(string) {}
func (r *readiness) AllReady() bool   { return r.value.Load() }

type verbatimStatuses struct {
	mu    sync.RWMutex
	byUID map[types.UID]v1.PodStatus
}

func (s *verbatimStatuses) set(p *v1.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byUID[p.UID] = p.Status
}

func (s *verbatimStatuses) GetPodStatus(uid types.UID) (v1.PodStatus, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st, ok := s.byUID[uid]
	return st, ok
}

type noRunningContainers struct{}

func (noRunningContainers) PodCouldHaveRunningContainers(*v1.Pod) bool { return false }
