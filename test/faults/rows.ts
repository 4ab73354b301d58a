// The rows of docs/faults.md in words: what goes wrong, and what is told and done then.

/** What goes wrong, and what must be seen of it. */
export type Row = readonly [fault: string, seen: string];

/** The rows by their number, in groups. A row keeps its number for ever (78 is gone); a new one takes the next. */
export const GROUPS: readonly (readonly [title: string, rows: Readonly<Record<number, Row>>])[] = [
  [
    "Connecting",
    {
      1: [
        "There is no socket",
        "A watch tells DISCONNECTED with `socket-missing` once and waits. It dials within a second, or when the directory changes. A call fails at its deadline with `socket-missing`.",
      ],
      2: ["There is no directory", "As 1. The nearest directory above that exists is watched."],
      3: ["A socket file without a listener", "As 1, with `connection-refused`."],
      4: [
        "The path is a regular file or a directory",
        "`not-a-socket`, whose hint names hostPath mounts. A call ends with it; a watch tries again slowly.",
      ],
      5: ["EACCES", "`not-permitted`: thrown before the first SYNCED, told once after it. A later chmod heals it."],
      6: ["EPERM, as of SELinux", "As 5."],
      7: ["EAGAIN: the backlog is full", "A passing failure: tried again, with pauses that grow."],
      8: ["EMFILE, ENFILE", "A passing failure. No attempt leaves a descriptor behind."],
      9: [
        "A path of more than 107 bytes",
        "`invalid-path` at once. Nothing is dialled: some versions of Node.js would cut the path and reach another socket.",
      ],
      10: ["A symlink that dangles or is pointed elsewhere", "It is followed anew at each attempt."],
      11: ["The peer accepts and never speaks HTTP/2", "`connection-timeout` after five seconds, and tried again."],
      12: [
        "The peer accepts and closes, again and again",
        "Pauses grow: nothing but a sync marker and 30 s of life forgets the failures.",
      ],
      13: ["The connection breaks in the middle of a frame", "What is known stays, stale. The next stream is opened."],
      14: [
        "The kubelet is stopped while a stream is live",
        "The next resync finds it within 150 s, and tells `stalled`. It heals when the kubelet goes on.",
      ],
      15: ["The kubelet is stopped while it lists", "`stalled` when nothing has come for 30 s."],
      16: ["The socket is unlinked under a connection", "The connection is used on."],
      17: ["Another socket is renamed into its place", "A resync goes to the new socket. No outage is told."],
      18: ["The socket's file itself is mounted, and is dead", "Refusals carry the advice to mount the directory."],
      19: ["Directories cannot be watched", "The socket is dialled each second. That is told once."],
      20: [
        "The watched directory is removed and made again",
        "The socket is found within a second, and the directory watched anew.",
      ],
      21: ["Something else than gRPC listens", "`wrong-peer`: thrown before the first SYNCED, told after it."],
    },
  ],
  [
    "HTTP/2 and gRPC",
    {
      22: ["GOAWAY, and the stream goes on", "The stream is used to its end. What is asked next dials anew."],
      23: ["GOAWAY because of pings", "We send no ping. A GOAWAY is a passing failure."],
      24: ["REFUSED_STREAM", "Tried again at once, the first time; then with pauses."],
      25: ["RST_STREAM, or an end without trailers", "`connection-lost`, and tried again."],
      26: ["The stream ends well before its sync marker", "Nothing of it counts: no pod is told as deleted."],
      27: ["The stream ends well after its sync marker", "An outage: kubelets never end a watch well."],
      28: ["UNAVAILABLE", "Tried again."],
      29: [
        "FAILED_PRECONDITION, for seconds or minutes",
        "`initializing`: what is known stays, and nothing is told as deleted. Asked at most twice a second, later each 2.5 s.",
      ],
      30: [
        "RESOURCE_EXHAUSTED on a watch, after events",
        "The events count. `dropped` is a passing failure the first time, and a slow one from the second within a minute.",
      ],
      31: [
        "RESOURCE_EXHAUSTED on a call",
        "`rate-limited`: the client's pace is halved, and the call tried again within its deadline.",
      ],
      32: ["An answer over our own limit", "`too-large`, which names the option. It is not tried again."],
      33: [
        "INTERNAL for one pod, so that no list completes",
        "Tried again with pauses that grow. What is known stays, and the error has the server's words.",
      ],
      34: [
        "UNIMPLEMENTED",
        "The next version of the API is tried. If none is left: `not-served`, with the feature gate as the hint.",
      ],
      35: ["PERMISSION_DENIED, UNAUTHENTICATED", "`not-permitted`."],
      36: [
        "Any other status",
        "Tried again, but for INVALID_ARGUMENT and OUT_OF_RANGE: a call ends with them, a watch waits 30 s.",
      ],
      37: [
        "`grpc-retry-pushback-ms`",
        "A call waits for exactly so long, and is not tried again where it is negative or no number. A watch waits for at least so long.",
      ],
      38: ["A status that is no number, none at all, or a message that is badly encoded", "One typed error."],
      39: ["Headers, and nothing after them", "`stalled` after ten seconds."],
      40: ["The event loop stands still for seconds", "What came meanwhile is read. It catches up, or row 30 applies."],
    },
  ],
  [
    "What comes over the wire",
    {
      41: ["A message that is no protobuf, or is cut off", "`corrupt`, and the next stream."],
      42: [
        "A pod that cannot be decoded, whose UID can be read",
        "A watch keeps what it knew of it, lists it in `informer.state.unreadable`, and asks for one more list. `listPods` fails with `corrupt` and names the pod: there is never a partial list.",
      ],
      43: [
        "A pod in a list that cannot be decoded, nor its UID read",
        "That list proves no absence: nothing is told as deleted.",
      ],
      44: ["A pod without a UID", "Counted as malformed. Nothing is ever known under an empty UID."],
      45: ["DELETED that has namespace, name and UID alone", "DELETED with the pod as it was last known."],
      46: ["DELETED without a UID", "Of the only pod of that name; else a new list is asked for."],
      47: ["Unknown fields", "They stay in the message."],
      48: ["An event of an unknown type", "Counted and told, and a new list is asked for: it could hide a change."],
      49: [
        "Pods of many megabytes, lists of many",
        "They work up to `maxMessageBytes`. What is over it is `too-large`, before anything is made of it.",
      ],
      50: ["Two pods of one name at once", "Both are listed. `get` by name gives the one that lives."],
    },
  ],
  [
    "Order and meaning",
    {
      51: ["A pod is deleted while there is no stream", "One DELETED before SYNCED, with its last known state."],
      52: [
        "A pod is deleted and made again under its UID unseen",
        "DELETED and ADDED if its creation time differs; else MODIFIED.",
      ],
      53: ["A list repeats what is known", "Nothing is told."],
      54: ["Only `config.seen` has changed", "Nothing is told."],
      55: ["An event is older than the list before it", "It is told. The next resync repairs it."],
      56: [
        "An event or a list has a pod that was deleted",
        "Nothing is told, until two lists of one process show it running.",
      ],
      57: ["DELETED of an unknown pod", "Nothing is told."],
      58: ["DELETED within a list", "Taken in its order, and a new list is asked for."],
      59: ["Two sync markers, or one with a pod", "Counted as malformed, and no more."],
      60: ["No sync marker", "`stalled` after 30 s of silence. Nothing of the list counts."],
      61: ["Streams that die just before their marker, a thousand times", "Nothing is told as deleted."],
      62: [
        "The kubelet loses an event",
        "The next resync tells it, within 2.5 minutes; a lost DELETED is told by the second one, within five.",
      ],
      63: [
        "A 1.36 kubelet starts again with an empty or partial list",
        "What is missing is unconfirmed. What is truly gone is told within a minute.",
      ],
      64: [
        "A kubelet is terminated, killed, crashes in a loop, is upgraded, or loses the feature gate",
        "Rows 51 to 63 hold. A crash loop gets at most two attempts per second.",
      ],
    },
  ],
  [
    "Load, time and ends",
    {
      65: ["Ten thousand events per second", "None is lost. A reader that is slow sees the newest states."],
      66: ["A reader that stops", "Its queue has one slot per pod, however many events come."],
      67: ["One reader of ten is stuck", "The others do not notice."],
      68: ["A reader's code throws", "That reader ends. The stream and the others go on."],
      69: ["The wall clock jumps", "No timer moves."],
      70: ["The machine sleeps, or the event loop stands still", "What has come is read before a deadline counts."],
      71: [
        "Fifty clients that list without a pause",
        "All get through within their deadlines. Few requests are rejected.",
      ],
      72: ["An abort, at every point", "It settles at once. Nothing is told after it, and nothing stays behind."],
      73: ["A signal that has aborted already, twice, or with a reason", "It rejects at once, with that very reason."],
      74: ["`close()` twice, at once, or from within a callback", "The same promise. Nothing is left."],
      75: ["`break`, `return` and `throw` in a loop", "The stream is cancelled, and nothing stays behind."],
      76: ["`await using`, and disposing twice", "Closed once, and nothing stays behind."],
      77: ["A process that has a watch alone, without a socket", "It stays alive, and ends after `close()`."],
      79: ["A pause of the garbage collector", "No stall is told."],
      80: ["A thousand connections", "Descriptors, listeners and heap stay as they were."],
    },
  ],
  [
    "What kubelets mean",
    {
      81: ["A list has a finished pod that was told as deleted", "Nothing is told."],
      82: ["A list has a known pod that has finished meanwhile", "One DELETED with cause `finished` and that state."],
      83: ["A node with finished pods", "They are not told, but with `includeFinished`."],
      84: [
        "A finished pod's object is removed, of which kubelets tell nothing",
        "With `includeFinished`: DELETED at the next resync.",
      ],
      85: ["Only labels change", "Told at the next resync, within 2.5 minutes."],
      86: [
        "Events in the wrong order, DELETED twice, ADDED of a known pod",
        "Repaired at the resync; ignored; a change.",
      ],
      87: ["A 1.37 kubelet shuts down with the status of a slow watcher", "Tried again within 100 ms."],
      88: [
        "FAILED_PRECONDITION for hours",
        "Stale, with its reason. Asked at most every 2.5 s on average, and synced within 5 s once the kubelet is ready.",
      ],
      89: ["A 1.36 kubelet lists nothing, then some, then all", "Nothing false is told as deleted."],
      90: ["A mirror pod's UID is asked for", "`not-found`, whose hint names the annotation with the kubelet's UID."],
      91: ["An evicted pod: phase Failed, containers running", "MODIFIED, not DELETED. `isReady` is false."],
      92: ["Text that is not UTF-8", "U+FFFD. It is never an error."],
      93: [
        "Readers with different masks of a server that filters",
        "Each gets its fields. Who a pod is, is always known.",
      ],
      94: [
        "A wrong path, for an hour",
        "DISCONNECTED at once. `informer.state` has it, and `synced({ timeoutMs })` rejects with it.",
      ],
      95: ["A pod that was rejected at admission", "It is not told, but with `includeFinished`."],
    },
  ],
];
