#!/bin/bash
# Modules of Kubernetes 1.38.0-beta.0 that the public registry does not have yet, below the given directory. None of them has a part in
# what the kubelet reports about pods. Once 1.38 is released, this file and the replace directives go.
set -euo pipefail
target=$1
[ -d "$target" ] && exit
# Tests run this at the same time. The directory appears in one step, complete.
at=$target.$$
trap 'rm -rf "$at"' EXIT
mkdir -p "$at/iptables-wrappers/pkg/iptables"

# The API server and fake clients merge fields with it. Version 7 has the packages of version 6.
merge=$(cd / && GOTOOLCHAIN=local go mod download -json sigs.k8s.io/structured-merge-diff/v6@v6.4.2 | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -r "$merge" "$at/structured-merge-diff"
chmod -R u+w "$at/structured-merge-diff"
grep -rl structured-merge-diff/v6 "$at/structured-merge-diff" | xargs sed -i 's|structured-merge-diff/v6|structured-merge-diff/v7|g'

# A node without iptables: the kubelet then creates no rules for other programs.
printf 'module sigs.k8s.io/iptables-wrappers\n\ngo 1.26.0\n' >"$at/iptables-wrappers/go.mod"
cat >"$at/iptables-wrappers/pkg/iptables/iptables.go" <<'GO'
package iptables

import (
	"context"
	"time"
)

type (
	Chain    string
	Table    string
	Protocol string
	Position string
	Mode     string
)

const (
	TableMangle      Table    = "mangle"
	TableNAT         Table    = "nat"
	TableFilter      Table    = "filter"
	ChainOutput      Chain    = "OUTPUT"
	ChainInput       Chain    = "INPUT"
	Prepend          Position = "-I"
	Append           Position = "-A"
	UseInstalledMode Mode     = ""
)

type Interface interface {
	EnsureChain(ctx context.Context, table Table, chain Chain) (bool, error)
	EnsureRule(ctx context.Context, position Position, table Table, chain Chain, args ...string) (bool, error)
	IsIPv6() bool
	Protocol() Protocol
	Monitor(ctx context.Context, canary Chain, tables []Table, reload func(), interval time.Duration)
}

func NewBestEffort(context.Context, Mode) map[Protocol]Interface { return nil }
GO
mv -T "$at" "$target" 2>/dev/null || [ -d "$target" ]
