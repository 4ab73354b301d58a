#!/bin/bash
# From a machine with root, Go, Node.js and Debian packages to all binaries and images below $NODE_DIR. What is there already
# is left as it is.
set -euo pipefail
. "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib.sh"

GRPCURL=1.9.3 # for the reproductions of docs/upstream.md
begun=$(date +%s)
step() { echo "[$(($(date +%s) - begun)) s] $*"; }

[ "$(id -u)" = 0 ] || lacks "a node needs root"
command -v go >/dev/null || lacks "there is no go: https://go.dev/dl, 1.26 or newer"
command -v openssl >/dev/null || lacks "there is no openssl: apt-get install openssl"

mkdir -p "$NODE_DIR"/{bin,images,build}
has_all() {
  local program
  for program in containerd runc etcd iptables ip curl jq unshare nsenter flock; do command -v $program >/dev/null || return 1; done
  [ -x /usr/lib/cni/ptp ]
}
if ! has_all; then
  step "packages"
  command -v apt-get >/dev/null || lacks "no apt-get here: install containerd, runc, etcd, iptables, curl, jq, util-linux and the CNI plugins (in /usr/lib/cni)"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends containerd runc containernetworking-plugins \
    iptables iproute2 conntrack etcd-server curl jq util-linux >/dev/null
fi

# module VERSION GO.MOD-OF-INTEROP PROGRAM...: a module that pins them; the replace directives are those of test/interop/go
module() {
  local version=$1 from=$PROJECT/test/interop/go/$2 at=$NODE_DIR/build/$1
  shift 2
  [ -f "$at/go.sum" ] && return
  mkdir -p "$at"
  if grep -q bin/stand-ins "$from"; then "$PROJECT/test/interop/stand-ins.sh" "$at/bin/stand-ins"; fi
  {
    printf 'module node.build\n\n%s\n\nrequire k8s.io/kubernetes v%s\n\n' "$(grep '^go ' "$from")" "$version"
    sed -n '/^replace (/,/^)/p' "$from"
  } >"$at/go.mod"
  {
    printf '//go:build tools\n\npackage tools\n\nimport (\n'
    printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' "$@"
    printf ')\n'
  } >"$at/tools.go"
  (cd "$at" && GOTOOLCHAIN=auto go mod tidy -e 2>/dev/null)
}

build() { # VERSION PROGRAM...
  local version=$1 minor package flags="-s -w" program
  shift
  minor=${version#1.}
  minor=${minor%%.*}
  # A kubelet that does not know its version is not let in by the API server.
  for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    flags="$flags -X $package.gitVersion=v$version -X $package.gitMajor=1 -X $package.gitMinor=$minor"
    flags="$flags -X $package.gitTreeState=clean -X $package.gitCommit=none"
  done
  mkdir -p "$NODE_DIR/bin/$version"
  for program in "$@"; do
    [ -x "$NODE_DIR/bin/$version/$program" ] && continue
    step "$program $version"
    (cd "$NODE_DIR/build/$version" && CGO_ENABLED=0 GOTOOLCHAIN=auto nice go build -mod=mod -trimpath -ldflags "$flags" \
      -o "$NODE_DIR/bin/$version/$program" "k8s.io/kubernetes/cmd/$program")
  done
}

control="kubectl kube-apiserver kube-controller-manager kube-scheduler"
module "$CONTROL" go.mod kubelet $control
build "$CONTROL" kubelet $control
module "$NEW" $NEW_MODULE kubelet
build "$NEW" kubelet
module "$OLD" $OLD_MODULE kubelet
build "$OLD" kubelet

if [ ! -f "$NODE_DIR/images/pause.tar" ] || [ "$HERE/images/main.go" -nt "$NODE_DIR/images/tool.tar" ] ||
  [ "$HERE/images/mkimage/main.go" -nt "$NODE_DIR/images/mkimage" ]; then
  step "images"
  (
    cd "$HERE/images"
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$NODE_DIR/images/tool" .
    go build -o "$NODE_DIR/images/mkimage" ./mkimage
  )
  "$NODE_DIR/images/mkimage" "$NODE_DIR/images/tool" localhost/tool:1 localhost/tool:2 >"$NODE_DIR/images/tool.tar"
  "$NODE_DIR/images/mkimage" -pause "$NODE_DIR/images/tool" localhost/pause:1 >"$NODE_DIR/images/pause.tar"
fi

if [ ! -x "$NODE_DIR/bin/tools/grpcurl" ]; then
  step "grpcurl"
  GOBIN="$NODE_DIR/bin/tools" CGO_ENABLED=0 nice go install -trimpath -ldflags "-s -w" "github.com/fullstorydev/grpcurl/cmd/grpcurl@v$GRPCURL"
fi
step "ready"
