//go:build kubelet138

package main

import (
	"context"

	"golang.org/x/time/rate"
	"google.golang.org/grpc"
	apisgrpc "k8s.io/kubernetes/pkg/kubelet/apis/grpc"
	"k8s.io/kubernetes/pkg/kubelet/apis/pods"
)

const kubeletVersion = "1.38"

// newGRPCServer has the options of ListenAndServePodsServer in pkg/kubelet/server. wiring.interop.ts compares them.
func newGRPCServer(context.Context) *grpc.Server {
	limiter := rate.NewLimiter(rate.Limit(pods.DefaultQPS), int(pods.DefaultBurstTokens))
	server := grpc.NewServer(
		grpc.ChainUnaryInterceptor(apisgrpc.LimiterUnaryServerInterceptor(limiter), pods.MetricsUnaryServerInterceptor),
		grpc.ChainStreamInterceptor(apisgrpc.LimiterStreamServerInterceptor(limiter), pods.MetricsStreamServerInterceptor),
		grpc.MaxConcurrentStreams(pods.DefaultMaxConcurrentStreams),
	)
	return server
}
