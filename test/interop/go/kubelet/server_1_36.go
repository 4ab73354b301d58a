//go:build kubelet136

package main

import (
	"context"

	"google.golang.org/grpc"
	apisgrpc "k8s.io/kubernetes/pkg/kubelet/apis/grpc"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
)

const kubeletVersion = "1.36"

// newGRPCServer has the options of ListenAndServePodsServer in pkg/kubelet/server. wiring.interop.ts compares them.
func newGRPCServer(ctx context.Context) *grpc.Server {
	server := grpc.NewServer(apisgrpc.WithRateLimiter(ctx, "pods", pods.DefaultQPS, pods.DefaultBurstTokens))
	return server
}
