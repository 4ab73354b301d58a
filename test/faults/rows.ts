// The rows of docs/faults.md: what goes wrong, and what the client does.

/** A fault, and what the client does. */
export type Row = readonly [fault: string, behaviour: string];

/** The rows by their number, in groups. A row keeps its number for ever (78 was removed); a new one takes the next. */
export const GROUPS: readonly (readonly [title: string, rows: Readonly<Record<number, Row>>])[] = [
  [
    "Connecting",
    {
      1: [
        "There is no socket",
        "A watch emits DISCONNECTED with `socket-missing` once, and connects within a second or when the directory changes. A call rejects with `socket-missing` at its deadline.",
      ],
      2: ["There is no directory", "Like 1. The client watches the nearest existing parent directory."],
      3: ["Nothing listens on the socket file", "Like 1, with `connection-refused`."],
      4: [
        "The path is a regular file or a directory",
        "`not-a-socket`, with a hint about hostPath mounts. A call rejects at once; a watch retries slowly.",
      ],
      5: ["EACCES", "`not-permitted`: thrown before the first SYNCED, an outage after it. A later chmod fixes it."],
      6: ["EPERM, for example from SELinux", "Like 5."],
      7: ["EAGAIN: the backlog is full", "The client retries with backoff."],
      8: ["EMFILE, ENFILE", "The client retries with backoff, and leaks no descriptor."],
      9: [
        "The path has more than 107 bytes",
        "`invalid-path` at once. The client does not connect, because some versions of Node.js truncate the path and reach another socket.",
      ],
      10: ["A symbolic link that dangles or changes", "The client follows it at each attempt."],
      11: [
        "The server accepts and never speaks HTTP/2",
        "`connection-timeout` after five seconds. The client retries.",
      ],
      12: ["The server accepts and closes repeatedly", "Delays grow. Only a stream that is live for 30 s resets them."],
      13: [
        "The connection breaks within a frame",
        "The known pods are kept and are stale. The client opens a new stream.",
      ],
      14: [
        "The kubelet hangs while a stream is live",
        "The next resync detects it within 154 s: `stalled`. The watch recovers when the kubelet resumes.",
      ],
      15: ["The kubelet hangs while it lists", "`stalled` after 30 s without a message."],
      16: ["The socket is unlinked while connected", "The connection stays in use."],
      17: ["Another socket replaces it by a rename", "The next stream uses the new socket. No outage."],
      18: [
        "The socket file itself is mounted, and stale",
        "`connection-refused`, with the hint to mount the directory.",
      ],
      19: ["Directories cannot be watched", "The client connects once per second, and reports that once."],
      20: ["The watched directory is removed and created again", "The client finds the socket within a second."],
      21: ["Another program listens", "`wrong-peer`: thrown before the first SYNCED, an outage after it."],
    },
  ],
  [
    "HTTP/2 and gRPC",
    {
      22: [
        "GOAWAY while a stream continues",
        "The stream is used until the next resync, which opens a new one. New calls use a new connection.",
      ],
      23: ["GOAWAY because of pings", "The client sends no pings. It retries after any GOAWAY."],
      24: ["REFUSED_STREAM", "The client retries at once the first time, then with backoff."],
      25: ["RST_STREAM, or an end without trailers", "`connection-lost`. The client retries."],
      26: [
        "The stream ends with status OK before its sync marker",
        "The list is discarded. No pod is reported as deleted.",
      ],
      27: ["The stream ends with status OK after its sync marker", "An outage, because kubelets never do this."],
      28: ["UNAVAILABLE", "The client retries."],
      29: [
        "FAILED_PRECONDITION, for seconds or minutes",
        "`initializing`. The known pods stay, and no pod is reported as deleted. At most two attempts per second, later one per 2.5 s.",
      ],
      30: [
        "RESOURCE_EXHAUSTED on a watch, not by the rate limit",
        "The events are applied. The client retries with short delays. From the second `dropped` within a minute, the delays are long.",
      ],
      31: [
        'RESOURCE_EXHAUSTED on a call, or "rejected by rate limit" on a watch',
        "`rate-limited`. The client halves its rate. It retries a call within the deadline, and a watch after up to 1.2 s.",
      ],
      32: ["An answer over the client's limit", "`too-large`, with the name of the option. No retry."],
      33: [
        "INTERNAL for one pod, so that no list completes",
        "The client retries with backoff. The known pods stay, and the error has the server's message.",
      ],
      34: [
        "UNIMPLEMENTED",
        "The client tries the next version of the API, and then rejects with `not-served` and a hint about the feature gate.",
      ],
      35: ["PERMISSION_DENIED, UNAUTHENTICATED", "`not-permitted`."],
      36: [
        "Any other status",
        "The client retries, except for INVALID_ARGUMENT and OUT_OF_RANGE: a call rejects, a watch waits 30 s.",
      ],
      37: [
        "`grpc-retry-pushback-ms`",
        "A call waits exactly that long, and does not retry if the value is negative or not a number. A watch waits at least that long.",
      ],
      38: [
        "A status that is not a number, no status, or a malformed message",
        "The call rejects with one `PodsError`.",
      ],
      39: ["Headers, and then nothing", "`stalled` after ten seconds."],
      40: ["The event loop is blocked for seconds", "The client reads what has arrived meanwhile, or row 30 applies."],
    },
  ],
  [
    "Messages",
    {
      41: ["A message that is not protobuf, or is truncated", "`corrupt`. A watch opens a new stream."],
      42: [
        "A pod that cannot be decoded, with a readable UID",
        "A watch keeps the known version, adds the UID to `informer.state.unreadable`, and requests one more list. `listPods` rejects with `corrupt` and the pod's position in the list. There are no partial lists.",
      ],
      43: [
        "A listed pod whose UID cannot be decoded either",
        "The list proves no absence, so no pod is reported as deleted.",
      ],
      44: ["A pod without a UID", "Counted as malformed. No pod is known under an empty UID."],
      45: ["DELETED with only namespace, name and UID", "DELETED with the last known version of the pod."],
      46: ["DELETED without a UID", "It is not applied. The client requests a list."],
      47: ["Unknown fields", "They stay in the message."],
      48: [
        "An event of an unknown type",
        "Counted and published. The client requests a list, because the event could be a change.",
      ],
      49: [
        "Large pods and lists",
        "Supported up to `maxMessageBytes`. Beyond it `too-large`, before memory is allocated.",
      ],
      50: ["Two pods with one name", "Both are listed. `get` by name returns the one that is not terminating."],
    },
  ],
  [
    "Order and meaning of events",
    {
      51: [
        "A pod is deleted while there is no stream",
        "One DELETED with its last known version: before SYNCED if the pod was shown to end, otherwise after its grace period. Until then it is unconfirmed.",
      ],
      52: [
        "A pod is deleted and created again with the same UID, unseen",
        "DELETED and ADDED if its creation time differs, otherwise MODIFIED.",
      ],
      53: ["A list repeats known pods", "No event."],
      54: ["Only `config.seen` has changed", "No event."],
      55: ["An event is older than the list before it", "It is emitted. The next resync corrects it."],
      56: ["An event or a list has a deleted pod", "No event, until two lists of one process show it running."],
      57: ["DELETED of an unknown pod", "No event."],
      58: ["DELETED within a list", "Applied in order. The client requests another list."],
      59: ["Two sync markers, or one with a pod", "Counted as malformed."],
      60: ["No sync marker", "`stalled` after 30 s of silence. The list is discarded."],
      61: ["Streams that end just before their marker, a thousand times", "No pod is reported as deleted."],
      62: [
        "The kubelet drops an event",
        "The next resync finds the change within 2.5 minutes; the second one finds a dropped DELETED within five.",
      ],
      63: [
        "A 1.36 kubelet restarts with an empty or partial list",
        "Missing pods are unconfirmed. Deleted pods are reported within a minute.",
      ],
      64: [
        "A kubelet is terminated, killed, crashes repeatedly, is upgraded, or loses the feature gate",
        "Rows 51 to 63 apply. At most two attempts per second during a crash loop.",
      ],
    },
  ],
  [
    "Load, time and shutdown",
    {
      65: ["Ten thousand events per second", "None is lost. A slow reader receives the newest states."],
      66: ["A reader that stops reading", "Its queue has at most one slot per pod."],
      67: ["One reader of ten is stuck", "The others are not affected."],
      68: ["The code of a reader throws", "That reader ends. The stream and the others continue."],
      69: ["The wall clock jumps", "Timers are not affected."],
      70: [
        "The machine sleeps, or the event loop is blocked",
        "The client reads the data that has arrived before it enforces a deadline. The error reports how long this process was busy.",
      ],
      71: [
        "Fifty clients that list without a pause",
        "All calls succeed within their deadlines. Few requests are rejected.",
      ],
      72: ["An abort, at any point", "The call settles at once. No event follows, and no resource is left."],
      73: [
        "A signal that is already aborted, aborts twice, or has a reason",
        "The call rejects at once with that reason.",
      ],
      74: ["`close()` twice, concurrently, or from a callback", "The same promise. No resource is left."],
      75: ["`break`, `return` and `throw` in a loop", "The stream is cancelled. No resource is left."],
      76: ["`await using`, and disposing twice", "Closed once. No resource is left."],
      77: ["A process with only a watch, and no socket", "It stays alive, and ends after `close()`."],
      79: ["A pause of the garbage collector", "No `stalled`."],
      80: ["A thousand connections", "Descriptors, listeners and heap do not grow."],
    },
  ],
  [
    "Kubelet behaviour",
    {
      81: ["A list has a finished pod whose DELETED was emitted", "No event."],
      82: ["A list has a known pod that has finished meanwhile", "One DELETED with cause `finished` and that version."],
      83: ["A node with finished pods", "They are left out, except with `includeFinished`."],
      84: [
        "The object of a finished pod is removed, without an event",
        "With `includeFinished`: DELETED at the next resync.",
      ],
      85: ["Only labels change", "MODIFIED at the next resync, within 2.5 minutes."],
      86: [
        "Events in the wrong order, DELETED twice, ADDED of a known pod",
        "Wrong order: corrected at the next resync. Second DELETED: ignored. ADDED: emitted as MODIFIED.",
      ],
      87: [
        "A 1.37 kubelet shuts down with the status that it sends to slow watchers",
        "The client retries within 100 ms.",
      ],
      88: [
        "FAILED_PRECONDITION for hours",
        "DISCONNECTED contains the reason. The client retries every 2.5 s on average, and is synced within 5 s once the kubelet is ready.",
      ],
      89: ["A 1.36 kubelet lists no pods, then some, then all", "No existing pod is reported as deleted."],
      90: [
        "`getPod` with the UID of a mirror pod",
        "`not-found`, with a hint about the annotation that has the kubelet's UID.",
      ],
      91: ["An evicted pod: phase Failed, containers running", "MODIFIED, not DELETED. `isReady` is false."],
      92: ["Text that is not UTF-8", "U+FFFD, never an error."],
      93: [
        "Readers with different masks on a server that applies masks",
        "Each gets its fields. The identity of a pod is always known.",
      ],
      94: [
        "A wrong path, for an hour",
        "DISCONNECTED at once. `informer.state` has the error, and `synced({ timeoutMs })` rejects with it.",
      ],
      95: ["A pod that was rejected at admission", "It is left out, except with `includeFinished`."],
    },
  ],
];
