// Runs Prometheus' own discovery of pods (role: pod) on an API server, whose URL is the argument. Each group that it finds goes to
// standard output as a line of JSON, with the labels of each target as Prometheus sees them.
package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/config"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/discovery/kubernetes"
	"github.com/prometheus/prometheus/discovery/targetgroup"
)

type group struct {
	Source  string              `json:"source"`
	Targets []map[string]string `json:"targets"`
}

func main() {
	server, err := url.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	registry := prometheus.NewRegistry()
	conf := &kubernetes.SDConfig{Role: kubernetes.RolePod, APIServer: config.URL{URL: server}}
	metrics := conf.NewDiscovererMetrics(registry, discovery.NewRefreshMetrics(registry))
	if err := metrics.Register(); err != nil {
		panic(err)
	}
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	discoverer, err := conf.NewDiscoverer(discovery.DiscovererOptions{Logger: logger, Metrics: metrics})
	if err != nil {
		panic(err)
	}
	updates := make(chan []*targetgroup.Group)
	go discoverer.Run(context.Background(), updates)
	out := json.NewEncoder(os.Stdout)
	for groups := range updates {
		for _, found := range groups {
			line := group{Source: found.Source, Targets: []map[string]string{}}
			for _, target := range found.Targets {
				labels := map[string]string{}
				for _, set := range []map[string]string{text(found.Labels), text(target)} {
					for name, value := range set {
						labels[name] = value
					}
				}
				line.Targets = append(line.Targets, labels)
			}
			if err := out.Encode(line); err != nil {
				os.Exit(0)
			}
		}
	}
}

func text[N ~string, V ~string](labels map[N]V) map[string]string {
	set := map[string]string{}
	for name, value := range labels {
		set[string(name)] = string(value)
	}
	return set
}
