#!/bin/bash
# From a machine with root, Go, Node.js and Debian packages to all binaries, images and certificates below $NODE_DIR. What is
# there already is left as it is.
set -euo pipefail
. "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/lib.sh"

begun=$(date +%s)
step() { echo "[$(($(date +%s) - begun)) s] $*"; }

lacks() {
  echo "test/node: $1" >&2
  exit 3
}
[ "$(id -u)" = 0 ] || lacks "a node needs root"
command -v go >/dev/null || lacks "there is no go: https://go.dev/dl, 1.26 or newer"
command -v openssl >/dev/null || lacks "there is no openssl: apt-get install openssl"

mkdir -p "$NODE_DIR"/{bin,images,build}
if ! command -v containerd runc etcd iptables ip curl >/dev/null || [ ! -x /usr/lib/cni/ptp ]; then
  step "packages"
  command -v apt-get >/dev/null || lacks "no apt-get here: install containerd, runc, etcd, iptables, curl and the CNI plugins (in /usr/lib/cni)"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends containerd runc containernetworking-plugins \
    iptables iproute2 conntrack etcd-server curl >/dev/null
fi

# module VERSION GO.MOD-OF-INTEROP PROGRAM...: a module that pins them; the replace directives are those of test/interop/go
module() {
  local version=$1 from=$2 at=$NODE_DIR/build/$1
  shift 2
  [ -f "$at/go.sum" ] && return
  mkdir -p "$at"
  {
    printf 'module node.build\n\ngo 1.26.0\n\nrequire k8s.io/kubernetes v%s\n\n' "$version"
    sed -n '/^replace (/,/^)/p' "$from"
  } >"$at/go.mod"
  {
    printf '//go:build tools\n\npackage tools\n\nimport (\n'
    printf '\t_ "k8s.io/kubernetes/cmd/%s"\n' "$@"
    printf ')\n'
  } >"$at/tools.go"
  (cd "$at" && go mod tidy -e 2>/dev/null)
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
    (cd "$NODE_DIR/build/$version" && CGO_ENABLED=0 GOTOOLCHAIN=local nice go build -mod=mod -trimpath -ldflags "$flags" \
      -o "$NODE_DIR/bin/$version/$program" "k8s.io/kubernetes/cmd/$program")
  done
}

module "$NEW" "$PROJECT/test/interop/go/go.mod" kubelet kubectl kube-apiserver kube-controller-manager kube-scheduler
build "$NEW" kubelet kubectl kube-apiserver kube-controller-manager kube-scheduler
module "$OLD" "$PROJECT/test/interop/go/go-1.36.mod" kubelet
build "$OLD" kubelet

if [ ! -f "$NODE_DIR/images/pause.tar" ] || [ "$HERE/images/main.go" -nt "$NODE_DIR/images/tool.tar" ]; then
  step "images"
  (
    cd "$HERE/images"
    CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$NODE_DIR/images/tool" .
    go build -o "$NODE_DIR/images/mkimage" ./mkimage
  )
  "$NODE_DIR/images/mkimage" "$NODE_DIR/images/tool" localhost/tool:1 localhost/tool:2 >"$NODE_DIR/images/tool.tar"
  "$NODE_DIR/images/mkimage" -pause "$NODE_DIR/images/tool" localhost/pause:1 >"$NODE_DIR/images/pause.tar"
fi

if [ ! -f "$KUBECONFIG" ] || ! openssl x509 -checkend 86400 -noout -in "$PKI/apiserver.crt" >/dev/null; then
  step "certificates"
  rm -rf "$PKI"
  mkdir -p "$PKI"
  cd "$PKI"
  openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 365 -subj /CN=node-ca 2>/dev/null
  certificate() { # NAME SUBJECT [ALTERNATIVE-NAMES]
    openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
    openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -out "$1.crt" \
      -extfile <(echo "extendedKeyUsage=clientAuth,serverAuth" && [ -z "${3:-}" ] || echo "subjectAltName=$3") 2>/dev/null
  }
  certificate apiserver /CN=kube-apiserver "DNS:kubernetes,DNS:kubernetes.default.svc,DNS:localhost,IP:127.0.0.1,IP:$NODE_IP,IP:10.96.0.1"
  certificate apiserver-kubelet "/O=system:masters/CN=kube-apiserver-kubelet"
  certificate kubelet "/O=system:nodes/CN=system:node:$NODE_NAME"
  certificate kubelet-server "/CN=$NODE_NAME" "DNS:$NODE_NAME,DNS:localhost,IP:127.0.0.1,IP:$NODE_IP"
  certificate admin "/O=system:masters/CN=admin"
  certificate controller-manager "/CN=system:kube-controller-manager"
  certificate scheduler "/CN=system:kube-scheduler"
  openssl genrsa -out sa.key 2048 2>/dev/null
  openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
  for user in admin controller-manager scheduler kubelet; do
    cat >"$NODE_DIR/$user.kubeconfig" <<Y
apiVersion: v1
kind: Config
clusters: [{ name: node, cluster: { server: "https://127.0.0.1:6443", certificate-authority: $PKI/ca.crt } }]
users: [{ name: me, user: { client-certificate: $PKI/$user.crt, client-key: $PKI/$user.key } }]
contexts: [{ name: node, context: { cluster: node, user: me } }]
current-context: node
Y
  done
fi
step "ready"
