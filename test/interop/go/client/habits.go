package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	podsv1alpha1 "k8s.io/kubelet/pkg/apis/pods/v1alpha1"
)

// asJSON is a codec that no kubelet has.
type asJSON struct{}

func (asJSON) Marshal(v any) ([]byte, error)      { return json.Marshal(v) }
func (asJSON) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }
func (asJSON) Name() string                       { return "json" }

func init() { encoding.RegisterCodec(asJSON{}) }

// habits does what clients of grpc-go do with deadlines, compressors, codecs, metadata and cancellation, and prints a line for each.
func habits(ctx context.Context, client podsv1alpha1.PodsClient) error {
	list := func(ctx context.Context, options ...grpc.CallOption) error {
		time.Sleep(20 * time.Millisecond) // a hundred calls per second are let through
		_, err := client.ListPods(ctx, &podsv1alpha1.ListPodsRequest{}, options...)
		return err
	}
	watch := func(ctx context.Context, options ...grpc.CallOption) error {
		stream, err := client.WatchPods(ctx, &podsv1alpha1.WatchPodsRequest{}, options...)
		for err == nil {
			_, err = stream.Recv()
		}
		return err
	}
	within := func(d time.Duration, call func(context.Context, ...grpc.CallOption) error, options ...grpc.CallOption) error {
		ctx, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		return call(ctx, options...)
	}
	with := func(bytes, keys int) error {
		pairs := []string{}
		for i := range keys {
			pairs = append(pairs, fmt.Sprintf("x-key-%d", i), strings.Repeat("v", bytes/keys))
		}
		return list(metadata.AppendToOutgoingContext(ctx, pairs...))
	}
	tell := func(what string, err error) {
		s, _ := status.FromError(err)
		message := strings.ReplaceAll(s.Message(), "\u00a0", " ") // Go puts spaces of two kinds into errors of protobuf
		if s.Code() == codes.DeadlineExceeded {
			message = "" // the client's own, or how the server ended the stream: what is first is chance
		}
		fmt.Printf("%s: %v %s\n", what, s.Code(), message)
	}

	tell("list", list(ctx))
	tell("list with a deadline that is over", within(-time.Second, list))
	tell("list within an hour", within(time.Hour, list))
	for range 20 {
		time.Sleep(20 * time.Millisecond) // from 1.38 watches count, too
		tell("watch within 20 ms", within(20*time.Millisecond, watch))
	}
	tell("list with gzip", list(ctx, grpc.UseCompressor("gzip")))
	tell("watch with gzip", watch(ctx, grpc.UseCompressor("gzip")))
	tell("list as JSON", list(ctx, grpc.CallContentSubtype("json")))
	tell("watch as JSON", watch(ctx, grpc.CallContentSubtype("json")))
	tell("list with 60 kB of metadata", with(60_000, 1))
	tell("list with 120 kB of metadata in ten keys", with(120_000, 10))
	tell("list with 1,000 keys of metadata", with(10_000, 1_000))
	tell("list with binary metadata", list(metadata.AppendToOutgoingContext(ctx, "x-a-bin", "\x00\xff")))
	_, err := client.GetPod(ctx, &podsv1alpha1.GetPodRequest{PodUID: strings.Repeat("u", 5<<20)})
	tell("get with a request of 5 MiB", err)
	for i := range 20 {
		time.Sleep(20 * time.Millisecond)
		cancelled, cancel := context.WithCancel(ctx)
		stream, err := client.WatchPods(cancelled, &podsv1alpha1.WatchPodsRequest{})
		for n := 0; err == nil; n++ {
			if n == i%2 {
				cancel()
			}
			_, err = stream.Recv()
		}
		cancel()
		tell("watch that is cancelled", err)
	}
	tell("list", list(ctx))
	return nil
}
