# Paths, and processes that outlive the call that starts them. Sourced by `driver` and `setup.sh`.

# Binaries, images and logs of all nodes lie below it, outside of the project.
: "${NODE_DIR:=$HOME/.cache/kubelet-pods-node}"
: "${NODE_NAME:=node}"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PROJECT=$(cd "$HERE/../../.." && pwd)

# The releases, newest first: those that test/interop/go pins.
NEW=$(sed -n "s|^\tk8s.io/kubernetes v||p" "$PROJECT/test/interop/go/go.mod" | head -1)
OLD=$(sed -n "s|^\tk8s.io/kubernetes v||p" "$PROJECT/test/interop/go/go-1.36.mod" | head -1)

# One node's own state; `down` removes it.
AT=$NODE_DIR/nodes/$NODE_NAME
LOG=$NODE_DIR/log/$NODE_NAME # stays, for whoever looks for a cause
PKI=$AT/pki
RUNTIME_SOCKET=$AT/run/containerd.sock
CGROUP=kubelet-pods-$NODE_NAME
NODE_IP=10.99.0.1 # on a bridge without ports in the node's network namespace
export KUBECONFIG=$AT/admin.kubeconfig
PATH=$NODE_DIR/bin/tools:$NODE_DIR/bin/$NEW:$PATH

lacks() {
  echo "test/node: $1" >&2
  exit 3
}

runtime() { ctr -a "$RUNTIME_SOCKET" -n k8s.io "$@"; }

pid_of() { cat "$AT/run/$1.pid" 2>/dev/null || true; }

is_up() {
  local pid
  pid=$(pid_of "$1") && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null
}

# begin NAME COMMAND...: in the background; its output goes to its log
begin() {
  local name=$1
  shift
  setsid nohup "$@" >>"$LOG/$name.log" 2>&1 </dev/null &
  echo $! >"$AT/run/$name.pid"
}

# inside COMMAND...: in the node's mount and network namespaces
inside() { nsenter -t "$(pid_of holder)" -m -n -- "$@"; }

# begin_inside NAME COMMAND...: both
begin_inside() {
  local name=$1
  shift
  TMPDIR=$AT/tmp begin "$name" nsenter -t "$(pid_of holder)" -m -n -- "$@"
}

# finish NAME [SIGNAL]: and waits until it is gone
finish() {
  local pid
  pid=$(pid_of "$1")
  [ -n "$pid" ] || return 0
  kill -"${2:-TERM}" "$pid" 2>/dev/null || true
  kill -CONT "$pid" 2>/dev/null || true
  for _ in $(seq 600); do
    kill -0 "$pid" 2>/dev/null || { rm -f "$AT/run/$1.pid"; return 0; }
    sleep 0.05
  done
  echo "$1 ($pid) does not end; see $LOG/$1.log" >&2
  return 1
}

# retry SECONDS COMMAND...: until it succeeds
retry() {
  local end=$(($(date +%s) + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$(date +%s)" -lt $end ] || { echo "gave up on: $*" >&2; return 1; }
    sleep 0.3
  done
}
