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
    "a rule of a pod that runs is removed",
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
    "a false end of a container that runs on",
    add(100, life("next", "ENDED", { id: idOf("next"), cause: "none" })),
    /next main .*: ENDED none, and it runs on/,
  ],
  [
    "an end a minute early",
    move(of("lives", "ENDED", idOf("web")), -48),
    /web main .*: ENDED status, 47970 ms before it did/,
  ],
  [
    "an end half a second early",
    move(of("lives", "ENDED", idOf("web")), -0.5),
    /web main .*: ENDED status, 470 ms before it did/,
  ],
  ["an end ten minutes late", move(of("lives", "ENDED", idOf("web")), 600), /web main .*: ENDED: told 600 s late/],
  ["an end half a minute late", move(of("lives", "ENDED", idOf("web")), 30), /web main .*: ENDED: told 30 s late/],
  ["an end that is not told", drop(of("lives", "ENDED", idOf("job"))), /job main .*: ENDED: not told/],
  ["an end that is told twice", double(of("lives", "ENDED", idOf("job"))), /job main .*: ENDED twice/],
  [
    "another's exit",
    edit(of("lives", "ENDED", idOf("loop")), { exitCode: 0 }),
    /loop main .*: told to have ended with 0, and did with 3/,
  ],
  [
    "a start ten minutes late",
    move(of("lives", "STARTED", idOf("next")), 600),
    /next main .*: STARTED: told 600 s late/,
  ],
  [
    "a start before it",
    move(of("lives", "STARTED", idOf("next")), -0.7),
    /next main .*: STARTED 670 ms before it started/,
  ],
  ["a start that is told twice", double(of("lives", "STARTED", idOf("next"))), /next main .*: STARTED twice/],
  ["a life that is not told", drop(of("lives", "STARTED", idOf("next"))), /next main .*: its life: not told/],
  ["an end without a start", drop(of("lives", "STARTED", idOf("job"))), /job main .*: ENDED, and not STARTED/],
  [
    "a life that nobody ran",
    add(90, life("next", "STARTED", { id: "f".repeat(64) })),
    /next main f+: told, and the runtime has none/,
  ],
  [
    "a life of another pod",
    edit(of("lives", "STARTED", idOf("next")), { uid: uidOf("loop") }),
    /told of uid-loop, and is shop\/next main/,
  ],
  [
    "another restart count",
    edit(of("lives", "STARTED", idOf("next")), { restartCount: 4 }),
    /told with the restart count 4, which no status shows/,
  ],
  [
    "a container told to have started that never did",
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
    "lives told as MISSED that did not happen",
    add(90, life("next", "MISSED", { missed: [1, 2] })),
    /2 lives MISSED that the runtime did not run/,
  ],
  [
    "a container that never ran told as MISSED",
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
    "an exit that the runtime invented",
    all(
      edit(of("runtime", "exit", idOf("job")), { exitCode: 255 }),
      edit(of("lives", "ENDED", idOf("job")), { exitCode: 255, reason: "Unknown" }),
    ),
    /told to have exited with 255, which the runtime invented/,
    "V3",
  ],
  [
    "an end told when the kubelet rejects a pod whose container runs",
    all(rejected, add(121.1, life("next", "ENDED", { id: idOf("next"), cause: "removal" }))),
    /next main .*: ENDED removal, 900 ms before it did/,
    "V2",
  ],
  ["a reader of lives that throws", add(90, { who: "lives", type: "BUG", what: "it threw" }), /lives: it threw/],
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
      `content that the kubelet did not send, to ${who}`,
      edit(changed, { content: "a.b.c" }),
      /MODIFIED shop\/loop .* status, which the kubelet did not send/,
    ],
    [
      `content of minutes ago, to ${who}`,
      like(of(who, "ADDED", uidOf("loop")), 200, { type: "MODIFIED" }),
      /MODIFIED shop\/loop .* status, which the kubelet did not send then/,
    ],
    [
      `a change that is never told, to ${who}`,
      drop(changed),
      /shop\/loop .*: its status is old: the kubelet has sent another one/,
    ],
    [`a change a minute late, to ${who}`, move(changed, 60), /shop\/loop .*: its status is old/],
    [`a change that is none, to ${who}`, double(changed), /MODIFIED shop\/loop .*, and nothing has changed/],
    [`a pod that is never told, to ${who}`, drop(of(who, "ADDED", uidOf(selected))), /is there since .*, and not told/],
    [
      `a pod that is told twice, to ${who}`,
      double(of(who, "ADDED", uidOf(selected))),
      /ADDED shop\/\w+ .*, which is known/,
    ],
    [`an end that is never told, to ${who}`, drop(ended), /shop\/web .* is gone since .*, and told so not yet/],
    [`an end that is told twice, to ${who}`, double(ended), /DELETED shop\/web .*, which is not known/],
    [`an end ten minutes late, to ${who}`, move(ended, 600), /shop\/web .* is gone since .*, and told so 60\d s later/],
    ...(who === "selected"
      ? []
      : ([
          [
            `a false end, to ${who}`,
            add(200, { ...gone, type: "DELETED", ...(!isPolled && { cause: "missing" }) }),
            /DELETED .* of shop\/next .*, which runs main next0/,
          ],
        ] satisfies Bent[])),
    ...(who === "all" || who === "selected"
      ? []
      : ([
          [
            `a pod told as finished while its container runs, to ${who}`,
            all(rejected, add(121.05, { ...gone, type: "DELETED", ...(!isPolled && { cause: "finished" }) })),
            /DELETED .* of shop\/next .*, which runs main next0/,
            "V2",
          ],
        ] satisfies Bent[])),
  ];
});

const toPods: Bent[] = [
  [
    "an end half a minute after the object's removal, with finished pods",
    move(of("all", "DELETED", uidOf("web")), 30),
    /all: shop\/web .* gone since .*, and told so 3\d s later/,
    "A6",
  ],
  [
    "a pod that is there again",
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
    "another number of pods at SYNCED",
    edit(of("live", "SYNCED"), { count: 7 }),
    /live: SYNCED says 7, and 1 have been told/,
  ],
  ["a reader that ends", add(90, { who: "informer", type: "BUG", what: "it ended" }), /informer: it ended/],
];

const address = of("lookup", "find", "10.0.0.2");
const toLookups: Bent[] = [
  [
    "another pod, reported to be the one",
    edit(address, { answer: { uid: uidOf("loop"), confidence: "reported" } }),
    /find 10\.0\.0\.2.*: answered uid-loop , reported, and it was/,
  ],
  [
    "another pod, contested",
    edit(address, { answer: { uid: uidOf("loop"), confidence: "uncertain" } }),
    /find 10\.0\.0\.2.*: answered uid-loop , uncertain, and it was/,
  ],
  [
    "the pod before, long after it lost the address, reported to be the one",
    (lines) =>
      edit((line) => address(line) && "at" in line && line.at === ms(80), {
        answer: { uid: uidOf("web"), confidence: "reported" },
      })(lines),
    /find 10\.0\.0\.2 at .*: answered uid-web , reported/,
  ],
  [
    "nobody, while a pod has the address",
    edit(address, { answer: undefined }),
    /find 10\.0\.0\.2.*: found nothing, and a pod had it/,
  ],
  ["nobody by an address", edit(of("lookup", "byIP"), { answer: undefined }), /byIP 10\.0\.0\.4: found nothing/],
  [
    "another pod by an address",
    edit(of("lookup", "byIP"), { answer: { uid: uidOf("web") } }),
    /byIP 10\.0\.0\.4: answered uid-web/,
  ],
  [
    "another pod by a container",
    edit(of("lookup", "byContainerID"), { answer: { uid: uidOf("loop") } }),
    /byContainerID web0+.*: answered uid-loop/,
  ],
  [
    "another container",
    edit(of("lookup", "find", idOf("loop")), {
      answer: { uid: uidOf("loop"), containerID: idOf("web"), confidence: "reported" },
    }),
    /find loop0.*: answered uid-loop web0/,
  ],
  [
    "nobody by a container",
    edit(of("lookup", "byContainerID"), { answer: undefined }),
    /byContainerID web0+: found nothing/,
  ],
  [
    "another pod by a name",
    edit(of("lookup", "find", "shop"), { answer: { uid: uidOf("job"), confidence: "uncertain" } }),
    /find shop\/web.*: answered uid-job/,
  ],
  [
    "a wait for another pod",
    edit(of("lookup", "waitFor", "next"), { answer: { uid: uidOf("web"), confidence: "reported" } }),
    /waitFor .*: answered uid-web/,
  ],
  [
    "another pod's process",
    edit(of("lookup", "processIdentity"), { answer: { uid: uidOf("web"), containerID: idOf("web") } }),
    /processIdentity \d+: answered uid-web/,
  ],
  [
    "nobody's process",
    edit(of("lookup", "processIdentity"), { answer: undefined }),
    /processIdentity \d+: found nothing/,
  ],
  [
    "a wait in vain",
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
    "tables without a row",
    changeTable((text) => text.split("\n")[0] ?? "", "before", "ours", "after"),
    /kubectl's table has 0 rows, and the API server 2 pods/,
  ],
  [
    "tables with fewer rows",
    changeTable((text) => text.split("\n").slice(0, 2).join("\n"), "before", "ours", "after"),
    /kubectl's table has 1 rows, and the API server 2 pods/,
  ],
  [
    "a record without the API server",
    drop((line) => line.who === "api"),
    /the record of the API server has none of kubectl's 2 pods/,
  ],
  ["a row too few", changeTable((text) => text.split("\n").slice(0, 2).join("\n"), "ours"), /^shop\/next: lacks here/],
  [
    "a row too many",
    changeTable((text) => `${text}\n${text.split("\n")[1]?.replace("loop", "more")}`, "ours"),
    /^shop\/more: here only/,
  ],
  [
    "another status",
    changeTable((text) => text.replace("Running", "Error  "), "ours"),
    /^shop\/loop: STATUS is "Error", kubectl's "Running"/,
  ],
  ["another head", changeTable((text) => text.replace("READY", "ALIVE"), "ours"), /^the head is/],
  [
    "a table of other times alone",
    changeTable((text) => text.replaceAll("Running", "Pending"), "after"),
    /0 rows were compared, of 2 pods/,
  ],
  [
    "JSON without a pod",
    edit(of("kubectl", "JSON"), { before: EMPTY, ours: EMPTY, after: EMPTY }),
    /kubectl's JSON has 0 pods, and the API server 2/,
  ],
  ["JSON that lacks pods", edit(of("kubectl", "JSON"), { ours: EMPTY }), /^shop\/loop: lacks in our JSON/],
  [
    "other JSON",
    (lines) =>
      lines.map((line) =>
        line.who === "kubectl" && line.type === "JSON" ? { ...line, ours: line.ours.replace('"n1"', '"n2"') } : line,
      ),
    /^shop\/loop: \.spec\.nodeName is "n2", kubectl's "n1"/,
  ],
];

export const BENT: readonly Bent[] = [...toLives, ...toReaders, ...toPods, ...toLookups, ...toRules, ...toTables];
