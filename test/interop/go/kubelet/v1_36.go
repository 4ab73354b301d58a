//go:build kubelet136

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

// newPodsServer ignores readiness: a 1.36 kubelet answers with what it has.
func newPodsServer(_ context.Context, m pod.Manager, s status.PodStatusProvider, _ *readiness) *pods.PodsServer {
	return pods.NewPodsServer(pods.NewBroadcaster(), m, s)
}

func (n *node) updated(p *v1.Pod, s v1.PodStatus) { n.notifier.OnPodUpdated(p, s, false) }

func (n *node) removed(p *v1.Pod) { n.notifier.OnPodRemoved(p) }

type startupLatency struct{}

func (startupLatency) RecordStatusUpdated(*v1.Pod)     {}
func (startupLatency) DeletePodStartupState(types.UID) {}
