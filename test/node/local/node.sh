# A node's namespaces, cgroups and certificates, whose it is, and its end. Sourced by `driver`.

# A process is known by its number and its start.
stamp_of() { [ -r "/proc/$1/stat" ] && echo "$1 $(sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f20)"; }

# own COMMAND...: runs it while nobody else makes or ends a node, and only if the node is not in use by another process.
own() {
  mkdir -p "$NODE_DIR/nodes"
  exec 9>"$NODE_DIR/nodes/.lock"
  flock 9
  local owner
  owner=$(cat "$AT/owner" 2>/dev/null || true)
  if [ -n "$owner" ] && [ "$owner" != "$(stamp_of "$PPID")" ] && [ "$owner" = "$(stamp_of "${owner% *}")" ]; then
    echo "test/node: $NODE_NAME is in use by process ${owner% *}; another NODE_NAME makes another node" >&2
    exit 1
  fi
  "$@"
  exec 9>&-
}

# Gives the node to the process that called the driver, without what another one has left.
take() {
  [ "$(cat "$AT/owner" 2>/dev/null)" = "$(stamp_of "$PPID")" ] && [ "$(cat "$AT/mode" 2>/dev/null)" = "$1" ] && return
  end_all
  mkdir -p "$AT"/{run,tmp,manifests,kubelet,podlogs,shared,cni,leases} "$LOG"
  rm -f "$LOG"/*.log
  stamp_of "$PPID" >"$AT/owner"
  echo "$1" >"$AT/mode"
}

# A mount and a network namespace, and a cgroup in each hierarchy. What is mounted in the node, and linked in its network, goes with the last
# of its processes. Some of the kubelet's paths are constants, such as /var/lib/kubelet/device-plugins: /var and /run are the node's own.
# All of it is made by a process that is in the namespaces already: this machine's own mounts and links are out of its reach.
namespaces() {
  is_up holder && return
  case $AT in /var/* | /run/*) lacks "NODE_DIR may not lie below /var or /run: a node has its own" ;; esac
  [ ${#AT} -le 60 ] || lacks "$AT is too long for the sockets below it: name a shorter NODE_DIR"
  begin holder unshare --mount --net --propagation private sh -ec "
    mount -t tmpfs node /var
    mount -t tmpfs node /run
    ln -s /run /var/run
    mkdir -p /var/lib /var/log /var/tmp /run/netns
    ip link set lo up
    ip link add node0 type bridge
    ip addr add $NODE_IP/32 dev node0
    ip link set node0 up
    ip route add default dev node0
    echo 1 >/proc/sys/net/ipv4/ip_forward
    mount --make-rshared /
    mount --bind $AT/run $AT/run # by it all processes in here are known
    exec sleep infinity"
  retry 10 is_up holder
  local hierarchy
  for hierarchy in $(hierarchies); do
    mkdir -p "$hierarchy/$CGROUP"
    # A group of cpuset without processors takes no process.
    [ ! -e "$hierarchy/cpuset.mems" ] || cp -f "$hierarchy"/cpuset.cpus "$hierarchy"/cpuset.mems "$hierarchy/$CGROUP/" 2>/dev/null || true
  done
}

hierarchies() { awk '$3 == "cgroup" || $3 == "cgroup2" { print $2 }' /proc/mounts; }

certificates() {
  [ -f "$KUBECONFIG" ] && return
  mkdir -p "$PKI"
  (
    cd "$PKI"
    local key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes" user
    openssl req -x509 $key -keyout ca.key -out ca.crt -days 30 -subj /CN=node-ca 2>/dev/null
    certificate() { # NAME SUBJECT [ALTERNATIVE-NAMES]
      openssl req $key -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
      openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out "$1.crt" \
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
    for user in controller-manager scheduler kubelet admin; do
      cat >"$AT/$user.kubeconfig" <<Y
apiVersion: v1
kind: Config
clusters: [{ name: node, cluster: { server: "https://127.0.0.1:6443", certificate-authority: $PKI/ca.crt } }]
users: [{ name: me, user: { client-certificate: $PKI/$user.crt, client-key: $PKI/$user.key } }]
contexts: [{ name: node, context: { cluster: node, user: me } }]
current-context: node
Y
    done
  )
}

# The numbers of all of the node's processes: in its mount or network namespace, or in its cgroups. Never one of this mount and network
# namespace that is in none of its cgroups, whatever is mounted here.
processes() {
  local pid network mine
  mine=$(readlink /proc/$$/ns/net)
  network=$(readlink "/proc/$(holder 2>/dev/null)/ns/net" 2>/dev/null || true)
  {
    for pid in $(grep -lF -e "$AT/" /proc/[0-9]*/mountinfo 2>/dev/null | cut -d/ -f3); do
      [ "$(readlink "/proc/$pid/ns/mnt")" = "$(readlink /proc/$$/ns/mnt)" ] || echo "$pid"
    done
    find $(hierarchies) -path "*/$CGROUP/*" -name cgroup.procs -exec cat {} + 2>/dev/null
    [ -z "$network" ] || [ "$network" = "$mine" ] || find /proc/[0-9]*/ns/net -lname "$network" 2>/dev/null | cut -d/ -f3
  } | sort -un | while read -r pid; do [ ! -e "/proc/$pid/exe" ] || echo "$pid"; done
}

# Ends all of it, and removes it.
end_all() {
  finish kubelet KILL
  for _ in $(seq 100); do
    processes | xargs -r kill -KILL 2>/dev/null || true
    [ -n "$(processes)" ] || break
    sleep 0.1
  done
  for _ in $(seq 100); do
    cgroups | sort -r | xargs -r rmdir 2>/dev/null || true
    [ -n "$(cgroups)" ] || break
    sleep 0.1
  done
  rm -rf "$AT"
}

cgroups() { find $(hierarchies) -maxdepth 8 -type d \( -path "*/$CGROUP" -o -path "*/$CGROUP/*" \) 2>/dev/null; }

# Prints what a `down` has left, and fails when there is anything.
left() {
  local found
  found=$(
    for pid in $(processes); do echo "process $pid: $(tr '\0' ' ' <"/proc/$pid/cmdline" | cut -c1-120)"; done
    cgroups | sed 's/^/cgroup /'
    grep -F " $AT/" /proc/mounts | sed 's/^/mount /'
    [ ! -e "$AT" ] || echo "directory $AT"
  )
  [ -z "$found" ] || { echo "$found"; return 1; }
}
