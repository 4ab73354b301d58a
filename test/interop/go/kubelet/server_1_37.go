//go:build !kubelet136 && !kubelet138

package main

import (
	"context"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	apisgrpc "k8s.io/kubernetes/pkg/kubelet/apis/grpc"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
)

const kubeletVersion = "1.37"

// newGRPCServer has the options of ListenAndServePodsServer in pkg/kubelet/server. wiring.interop.ts compares them.
func newGRPCServer(context.Context) *grpc.Server {
	server := grpc.NewServer(
		grpc.ChainUnaryInterceptor(
			apisgrpc.LimiterUnaryServerInterceptor(rate.NewLimiter(rate.Limit(pods.DefaultQPS), int(pods.DefaultBurstTokens))),
			pods.MetricsUnaryServerInterceptor,
		),
		grpc.StreamInterceptor(pods.MetricsStreamServerInterceptor),
	)
	return server
}
