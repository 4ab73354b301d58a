# Paths, and processes that outlive the call that starts them. Sourced by `driver` and `setup.sh`.

# Binaries, images and logs of all nodes lie below it, outside of the project.
: "${NODE_DIR:=$HOME/.cache/kubelet-pods-node}"
: "${NODE_NAME:=node}"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PROJECT=$(cd "$HERE/../../.." && pwd)

# The releases of the kubelet, newest first: those that test/interop/go pins. The control plane is of the newest release: a beta's
# needs modules that the registry does not have.
pinned() { sed -n "s|^\tk8s.io/kubernetes v||p" "$PROJECT/test/interop/go/$1" | head -1; }
CONTROL=$(pinned go.mod)
if [ "${NODE_BETA:-}" = 1 ]; then
  NEW_MODULE=go-1.38.mod OLD_MODULE=go.mod
else
  NEW_MODULE=go.mod OLD_MODULE=go-1.36.mod
fi
NEW=$(pinned $NEW_MODULE)
OLD=$(pinned $OLD_MODULE)

# One node's own state; `down` removes it.
AT=$NODE_DIR/nodes/$NODE_NAME
LOG=$NODE_DIR/log/$NODE_NAME # stays, for whoever looks for a cause
PKI=$AT/pki
RUNTIME_SOCKET=$AT/run/containerd.sock
CGROUP=kubelet-pods-$NODE_NAME
NODE_IP=10.99.0.1 # on a bridge without ports in the node's network namespace
export KUBECONFIG=$AT/admin.kubeconfig
PATH=$NODE_DIR/bin/tools:$NODE_DIR/bin/$CONTROL:$PATH

lacks() {
  echo "test/node: $1" >&2
  exit 3
}

runtime() { ctr -a "$RUNTIME_SOCKET" -n k8s.io "$@"; }

pid_of() { cat "$AT/run/$1.pid" 2>/dev/null || true; }

# is_ours PID: whether a process is in the node's mount namespace, and that is not this one. A number may be another process's by now.
is_ours() {
  [ -n "$1" ] && [ -e "/proc/$1/ns/mnt" ] && [ "$(readlink "/proc/$1/ns/mnt")" != "$(readlink "/proc/$$/ns/mnt")" ] &&
    grep -qF " $AT/run " "/proc/$1/mountinfo" 2>/dev/null
}

is_up() { is_ours "$(pid_of "$1")"; }

# begin NAME COMMAND...: in the background; its output goes to its log
begin() {
  local name=$1
  shift
  setsid nohup "$@" >>"$LOG/$name.log" 2>&1 </dev/null 9>&- &
  echo $! >"$AT/run/$name.pid"
}

# The number of the process that holds the node's namespaces.
holder() {
  local pid
  pid=$(pid_of holder)
  is_ours "$pid" || { echo "test/node: the namespaces of $NODE_NAME are gone" >&2; return 1; }
  echo "$pid"
}

# inside COMMAND...: in the node's mount and network namespaces
inside() {
  local pid
  pid=$(holder) && nsenter -t "$pid" -m -n -- "$@"
}

# begin_inside NAME COMMAND...: both
begin_inside() {
  local name=$1 pid
  shift
  pid=$(holder) || return
  TMPDIR=$AT/tmp begin "$name" nsenter -t "$pid" -m -n -- "$@"
  retry 5 is_up "$name"
}

# finish NAME [SIGNAL]: and waits until it is gone
finish() {
  local pid
  pid=$(pid_of "$1")
  is_ours "$pid" || return 0
  kill -"${2:-TERM}" "$pid" 2>/dev/null || true
  kill -CONT "$pid" 2>/dev/null || true
  for _ in $(seq 600); do
    is_ours "$pid" || { rm -f "$AT/run/$1.pid"; return 0; }
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
