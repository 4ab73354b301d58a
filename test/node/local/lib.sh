# Paths, and processes that outlive the call that starts them. Sourced by `driver` and `setup.sh`.

# All that is built and run lies below it, outside of the project.
: "${NODE_DIR:=$HOME/.cache/kubelet-pods-node}"
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PROJECT=$(cd "$HERE/../../.." && pwd)

# The releases, newest first: those that test/interop/go pins.
NEW=$(sed -n "s|^\tk8s.io/kubernetes v||p" "$PROJECT/test/interop/go/go.mod" | head -1)
OLD=$(sed -n "s|^\tk8s.io/kubernetes v||p" "$PROJECT/test/interop/go/go-1.36.mod" | head -1)

NODE_NAME=test-node
NODE_IP=10.99.0.1 # on a bridge without ports; only pods listen on it
PKI=$NODE_DIR/pki
RUNTIME_SOCKET=$NODE_DIR/run/containerd.sock
export KUBECONFIG=$NODE_DIR/admin.kubeconfig
PATH=$NODE_DIR/bin/$NEW:$PATH

runtime() { ctr -a "$RUNTIME_SOCKET" -n k8s.io "$@"; }

pid_of() { cat "$NODE_DIR/run/$1.pid" 2>/dev/null || true; }

is_up() {
  local pid
  pid=$(pid_of "$1") && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null
}

# begin NAME COMMAND...: in the background; its output goes to log/NAME.log
begin() {
  local name=$1
  shift
  mkdir -p "$NODE_DIR/run" "$NODE_DIR/log"
  setsid nohup "$@" >>"$NODE_DIR/log/$name.log" 2>&1 </dev/null &
  echo $! >"$NODE_DIR/run/$name.pid"
}

# finish NAME [SIGNAL]: and waits until it is gone
finish() {
  local pid
  pid=$(pid_of "$1")
  [ -n "$pid" ] || return 0
  kill -"${2:-TERM}" "$pid" 2>/dev/null || true
  kill -CONT "$pid" 2>/dev/null || true
  for _ in $(seq 600); do
    kill -0 "$pid" 2>/dev/null || { rm -f "$NODE_DIR/run/$1.pid"; return 0; }
    sleep 0.05
  done
  echo "$1 ($pid) does not end; see $NODE_DIR/log/$1.log" >&2
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
