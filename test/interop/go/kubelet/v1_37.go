//go:build !kubelet136

package main

import (
	"context"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
	"k8s.io/kubernetes/pkg/kubelet/pod"
	"k8s.io/kubernetes/pkg/kubelet/status"
)

func newPodsServer(ctx context.Context, m pod.Manager, s status.PodStatusProvider, r *readiness) *pods.PodsServer {
	return pods.NewPodsServer(pods.NewBroadcaster(ctx), m, s, r)
}

func (n *node) updated(p *v1.Pod, s v1.PodStatus) {
	n.notifier.OnPodUpdated(klog.Background(), p, s, false)
}

func (n *node) removed(p *v1.Pod) { n.notifier.OnPodRemoved(klog.Background(), p) }

type startupLatency struct{}

func (startupLatency) RecordStatusUpdated(klog.Logger, *v1.Pod) {}
func (startupLatency) DeletePodStartupState(types.UID)          {}
