// Bent records, and what the judges are to find in each. Nothing else may be wrong with them.

import { add, all, type Bend, double, drop, edit, like, move, ms, of } from "./bends.js";
import { type At, CONSUMERS, type RawLine } from "./journal.js";
import { idOf, uidOf } from "./well-record.js";

/** What is bent, how, what is found, and the number of the finding where it is a known defect. */
type Bent = [what: string, bend: Bend, found: RegExp, finding?: string];

const life = (name: string, type: string, more: object): object => ({
  who: "lives",
  type,
  uid: uidOf(name),
  pod: `shop/${name}`,
  name: "main",
  restartCount: 0,
  initial: false,
  ...more,
});

const toRules: Bent[] = [
  [
    "a removed rule of a running pod",
    add(100, { who: "rules", type: "REMOVED", uid: uidOf("next"), ip: "10.0.0.2" }),
    /next: its rule for 10\.0\.0\.2 was removed, and it runs/,
    "X1",
  ],
];

const made = (id: string): object[] => [
  { who: "runtime", type: "create", id },
  { who: "runtime", type: "info", id, kind: "container", uid: uidOf("next"), pod: "shop/next", name: "main" },
];

/** A kubelet rejects a pod: Failed, without statuses, while its container runs on for a second. */
const rejected: Bend = (lines) => {
  const { pod } = lines.find(of("raw", "MODIFIED", uidOf("next"))) as At<RawLine>;
  const contents = { whole: "m.s.rejected", readiness: "m..rejected" };
  const bare = { ...pod, phase: "Failed", statuses: [], states: "", contents };
  return all(
    add(121, { who: "raw", type: "MODIFIED", pod: bare }),
    add(122, { who: "runtime", type: "exit", id: idOf("next"), exitCode: 0 }),
    add(124, { who: "raw", type: "DELETED", pod: bare }),
  )(lines);
};

const toLives: Bent[] = [
  [
    "a false end of a running container",
    add(100, life("next", "ENDED", { id: idOf("next"), cause: "none" })),
    /next main .*: ENDED none, and it runs on/,
  ],
  [
    "an end reported almost a minute early",
    move(of("lives", "ENDED", idOf("web")), -48),
    /web main .*: ENDED status, 47970 ms before it did/,
  ],
  [
    "an end reported half a second early",
    move(of("lives", "ENDED", idOf("web")), -0.5),
    /web main .*: ENDED status, 470 ms before it did/,
  ],
  [
    "an end reported ten minutes late",
    move(of("lives", "ENDED", idOf("web")), 600),
    /web main .*: ENDED: told 600 s late/,
  ],
  [
    "an end reported half a minute late",
    move(of("lives", "ENDED", idOf("web")), 30),
    /web main .*: ENDED: told 30 s late/,
  ],
  ["an end that is not reported", drop(of("lives", "ENDED", idOf("job"))), /job main .*: ENDED: not told/],
  ["an end that is reported twice", double(of("lives", "ENDED", idOf("job"))), /job main .*: ENDED twice/],
  [
    "an end with a wrong exit code",
    edit(of("lives", "ENDED", idOf("loop")), { exitCode: 0 }),
    /loop main .*: told to have ended with 0, and did with 3/,
  ],
  [
    "a start reported ten minutes late",
    move(of("lives", "STARTED", idOf("next")), 600),
    /next main .*: STARTED: told 600 s late/,
  ],
  [
    "a start reported too early",
    move(of("lives", "STARTED", idOf("next")), -0.7),
    /next main .*: STARTED 670 ms before it started/,
  ],
  ["a start that is reported twice", double(of("lives", "STARTED", idOf("next"))), /next main .*: STARTED twice/],
  ["a run without a reported start", drop(of("lives", "STARTED", idOf("next"))), /next main .*: its life: not told/],
  ["an end without a start", drop(of("lives", "STARTED", idOf("job"))), /job main .*: ENDED, and not STARTED/],
  [
    "a run that the runtime does not know",
    add(90, life("next", "STARTED", { id: "f".repeat(64) })),
    /next main f+: told, and the runtime has none/,
  ],
  [
    "a run of another pod",
    edit(of("lives", "STARTED", idOf("next")), { uid: uidOf("loop") }),
    /told of uid-loop, and is shop\/next main/,
  ],
  [
    "a wrong restart count",
    edit(of("lives", "STARTED", idOf("next")), { restartCount: 4 }),
    /told with the restart count 4, which no status shows/,
  ],
  [
    "a reported start of a container that never started",
    all(
      add(90, ...made("e".repeat(64))),
      add(
        91,
        life("next", "STARTED", { id: "e".repeat(64) }),
        life("next", "ENDED", { id: "e".repeat(64), cause: "status", exitCode: 0 }),
      ),
    ),
    /next main e+: told to have started, and did not/,
  ],
  [
    "MISSED for runs that did not happen",
    add(90, life("next", "MISSED", { missed: [1, 2] })),
    /2 lives MISSED that the runtime did not run/,
  ],
  [
    "MISSED for a container that never ran",
    (lines) => {
      const { pod } = lines.find(of("raw", "MODIFIED", uidOf("next"))) as At<RawLine>;
      const waiting = pod.statuses.map((status) => ({ ...status, id: "e".repeat(64), state: "W" }));
      return all(
        add(89, ...made("e".repeat(64)), { who: "raw", type: "MODIFIED", pod: { ...pod, statuses: waiting } }),
        add(90, { who: "raw", type: "MODIFIED", pod }, life("next", "MISSED", { missed: [1, 1] })),
      )(lines);
    },
    /1 containers that never ran told as MISSED/,
    "V4",
  ],
  [
    "an exit code that the runtime invented",
    all(
      edit(of("runtime", "exit", idOf("job")), { exitCode: 255 }),
      edit(of("lives", "ENDED", idOf("job")), { exitCode: 255, reason: "Unknown" }),
    ),
    /told to have exited with 255, which the runtime invented/,
    "V3",
  ],
  [
    "an end of a rejected pod whose container still runs",
    all(rejected, add(121.1, life("next", "ENDED", { id: idOf("next"), cause: "removal" }))),
    /next main .*: ENDED removal, 900 ms before it did/,
    "V2",
  ],
  ["a container watch that throws", add(90, { who: "lives", type: "BUG", what: "it threw" }), /lives: it threw/],
];

/** The same of each reader: all are judged by what the kubelet sent. */
const toReaders: Bent[] = CONSUMERS.flatMap((who): Bent[] => {
  const changed = of(who, "MODIFIED", uidOf("loop"), 100);
  const ended = of(who, "DELETED", uidOf("web"));
  const gone = { who, uid: uidOf("next"), name: "shop/next", content: "" };
  const isPolled = who === "list" || who === "snapshots";
  const selected = who === "selected" ? "web" : "next";
  return [
    [
      `content that the kubelet did not send, received by ${who}`,
      edit(changed, { content: "a.b.c" }),
      /MODIFIED shop\/loop .* status, which the kubelet did not send/,
    ],
    [
      `content that is minutes old, received by ${who}`,
      like(of(who, "ADDED", uidOf("loop")), 200, { type: "MODIFIED" }),
      /MODIFIED shop\/loop .* status, which the kubelet did not send then/,
    ],
    [
      `a change that ${who} never receives`,
      drop(changed),
      /shop\/loop .*: its status is old: the kubelet has sent another one/,
    ],
    [`a change that ${who} receives a minute late`, move(changed, 60), /shop\/loop .*: its status is old/],
    [
      `a MODIFIED event without a change, received by ${who}`,
      double(changed),
      /MODIFIED shop\/loop .*, and nothing has changed/,
    ],
    [`a pod that ${who} never receives`, drop(of(who, "ADDED", uidOf(selected))), /is there since .*, and not told/],
    [
      `a pod that ${who} receives twice`,
      double(of(who, "ADDED", uidOf(selected))),
      /ADDED shop\/\w+ .*, which is known/,
    ],
    [`a deletion that ${who} never receives`, drop(ended), /shop\/web .* is gone since .*, and told so not yet/],
    [`a deletion that ${who} receives twice`, double(ended), /DELETED shop\/web .*, which is not known/],
    [
      `a deletion that ${who} receives ten minutes late`,
      move(ended, 600),
      /shop\/web .* is gone since .*, and told so 60\d s later/,
    ],
    ...(who === "selected"
      ? []
      : ([
          [
            `a false deletion, received by ${who}`,
            add(200, { ...gone, type: "DELETED", ...(!isPolled && { cause: "missing" }) }),
            /DELETED .* of shop\/next .*, which runs main next0/,
          ],
        ] satisfies Bent[])),
    ...(who === "all" || who === "selected"
      ? []
      : ([
          [
            `a pod that ${who} receives as finished while its container runs`,
            all(rejected, add(121.05, { ...gone, type: "DELETED", ...(!isPolled && { cause: "finished" }) })),
            /DELETED .* of shop\/next .*, which runs main next0/,
            "V2",
          ],
        ] satisfies Bent[])),
  ];
});

const toPods: Bent[] = [
  [
    "a deletion half a minute after the object's removal, with finished pods",
    move(of("all", "DELETED", uidOf("web")), 30),
    /all: shop\/web .* gone since .*, and told so 3\d s later/,
    "A6",
  ],
  [
    "a finished pod that is ADDED again",
    all(
      add(200, { who: "live", type: "DELETED", uid: uidOf("next"), name: "shop/next", cause: "finished", content: "" }),
      like(of("live", "ADDED", uidOf("next")), 210),
    ),
    /live: ADDED shop\/next .* again/,
  ],
  [
    "a pod that the kubelet never had",
    add(200, { who: "live", type: "ADDED", uid: "uid-ghost", name: "shop/ghost", content: "a.b.c" }),
    /live: ADDED shop\/ghost .*, which the kubelet never sent/,
  ],
  [
    "a wrong number of pods at SYNCED",
    edit(of("live", "SYNCED"), { count: 7 }),
    /live: SYNCED says 7, and 1 have been told/,
  ],
  ["a reader that ends", add(90, { who: "informer", type: "BUG", what: "it ended" }), /informer: it ended/],
];

const address = of("lookup", "find", "10.0.0.2");
const toLookups: Bent[] = [
  [
    "a wrong pod for an address, with confidence reported",
    edit(address, { answer: { uid: uidOf("loop"), confidence: "reported" } }),
    /find 10\.0\.0\.2.*: answered uid-loop , reported, and it was/,
  ],
  [
    "a wrong pod for an address, with confidence uncertain",
    edit(address, { answer: { uid: uidOf("loop"), confidence: "uncertain" } }),
    /find 10\.0\.0\.2.*: answered uid-loop , uncertain, and it was/,
  ],
  [
    "a previous owner of an address, with confidence reported",
    (lines) =>
      edit((line) => address(line) && "at" in line && line.at === ms(80), {
        answer: { uid: uidOf("web"), confidence: "reported" },
      })(lines),
    /find 10\.0\.0\.2 at .*: answered uid-web , reported/,
  ],
  [
    "no pod for an address in use",
    edit(address, { answer: undefined }),
    /find 10\.0\.0\.2.*: found nothing, and a pod had it/,
  ],
  ["no pod by IP", edit(of("lookup", "byIP"), { answer: undefined }), /byIP 10\.0\.0\.4: found nothing/],
  [
    "a wrong pod by IP",
    edit(of("lookup", "byIP"), { answer: { uid: uidOf("web") } }),
    /byIP 10\.0\.0\.4: answered uid-web/,
  ],
  [
    "a wrong pod by container ID",
    edit(of("lookup", "byContainerID"), { answer: { uid: uidOf("loop") } }),
    /byContainerID web0+.*: answered uid-loop/,
  ],
  [
    "a wrong container by container ID",
    edit(of("lookup", "find", idOf("loop")), {
      answer: { uid: uidOf("loop"), containerID: idOf("web"), confidence: "reported" },
    }),
    /find loop0.*: answered uid-loop web0/,
  ],
  [
    "no pod by container ID",
    edit(of("lookup", "byContainerID"), { answer: undefined }),
    /byContainerID web0+: found nothing/,
  ],
  [
    "a wrong pod by name",
    edit(of("lookup", "find", "shop"), { answer: { uid: uidOf("job"), confidence: "uncertain" } }),
    /find shop\/web.*: answered uid-job/,
  ],
  [
    "a wait that returns a wrong pod",
    edit(of("lookup", "waitFor", "next"), { answer: { uid: uidOf("web"), confidence: "reported" } }),
    /waitFor .*: answered uid-web/,
  ],
  [
    "a process of a wrong pod",
    edit(of("lookup", "processIdentity"), { answer: { uid: uidOf("web"), containerID: idOf("web") } }),
    /processIdentity \d+: answered uid-web/,
  ],
  [
    "a process without its pod",
    edit(of("lookup", "processIdentity"), { answer: undefined }),
    /processIdentity \d+: found nothing/,
  ],
  [
    "a wait that times out although the pod exists",
    all(
      move(of("lookup", "waitFor", "shop"), 20),
      edit(of("lookup", "waitFor", "shop"), { answer: undefined, error: "deadline" }),
    ),
    /waitFor shop\/next: found nothing/,
  ],
];

const EMPTY = JSON.stringify({ items: [] });
const table = of("kubectl", "TABLE");
const changeTable =
  (change: (table: string) => string, ...which: ("before" | "ours" | "after")[]): Bend =>
  (lines) =>
    lines.map((line) => {
      if (!table(line) || line.who !== "kubectl") return line;
      return { ...line, ...Object.fromEntries(which.map((key) => [key, change(line[key])])) };
    });
const toTables: Bent[] = [
  [
    "tables without rows",
    changeTable((text) => text.split("\n")[0] ?? "", "before", "ours", "after"),
    /kubectl's table has 0 rows, and the API server 2 pods/,
  ],
  [
    "tables with fewer rows",
    changeTable((text) => text.split("\n").slice(0, 2).join("\n"), "before", "ours", "after"),
    /kubectl's table has 1 rows, and the API server 2 pods/,
  ],
  [
    "a record without lines of the API server",
    drop((line) => line.who === "api"),
    /the record of the API server has none of kubectl's 2 pods/,
  ],
  ["a missing row", changeTable((text) => text.split("\n").slice(0, 2).join("\n"), "ours"), /^shop\/next: lacks here/],
  [
    "an extra row",
    changeTable((text) => `${text}\n${text.split("\n")[1]?.replace("loop", "more")}`, "ours"),
    /^shop\/more: here only/,
  ],
  [
    "a wrong status",
    changeTable((text) => text.replace("Running", "Error  "), "ours"),
    /^shop\/loop: STATUS is "Error", kubectl's "Running"/,
  ],
  ["a wrong header", changeTable((text) => text.replace("READY", "ALIVE"), "ours"), /^the head is/],
  [
    "tables that changed during the comparison",
    changeTable((text) => text.replaceAll("Running", "Pending"), "after"),
    /0 rows were compared, of 2 pods/,
  ],
  [
    "JSON without pods",
    edit(of("kubectl", "JSON"), { before: EMPTY, ours: EMPTY, after: EMPTY }),
    /kubectl's JSON has 0 pods, and the API server 2/,
  ],
  ["our JSON without pods", edit(of("kubectl", "JSON"), { ours: EMPTY }), /^shop\/loop: lacks in our JSON/],
  [
    "our JSON with a wrong value",
    (lines) =>
      lines.map((line) =>
        line.who === "kubectl" && line.type === "JSON" ? { ...line, ours: line.ours.replace('"n1"', '"n2"') } : line,
      ),
    /^shop\/loop: \.spec\.nodeName is "n2", kubectl's "n1"/,
  ],
];

export const BENT: readonly Bent[] = [...toLives, ...toReaders, ...toPods, ...toLookups, ...toRules, ...toTables];
