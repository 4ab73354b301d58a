// A record of a small node on which everything is told well: made from a script of what happens, as kubelet, runtime, API server and CNI would
// note it, with a client that tells it at once. Tests bend it.

import type { At, Brief, Consumer, Line, StatusBrief } from "./journal.js";

/** Seconds of the record count from here. */
export const BEGIN_MS = 1_000_000_000_000;
const END_S = 400;
const LIST_S = 2;
const RESYNC_S = 30;

interface PodState {
  uid: string;
  name: string;
  isStatic: boolean;
  labels: string;
  phase: string;
  isReady: boolean;
  isDeleting: boolean;
  ips: string[];
  statuses: StatusBrief[];
}

/** The UIDs, containers, sandboxes and addresses of the record. */
export const uidOf = (name: string): string => `uid-${name}`;
export const idOf = (name: string, life = 0): string => `${name}${life}`.padEnd(64, "0");
const sandboxOf = (name: string): string => `${name}-box`.padEnd(64, "0");

class Script {
  readonly lines: At[] = [];
  readonly pods = new Map<string, PodState>();
  #listed = new Map<string, string>();
  readonly #told = new Map<Consumer, Map<string, string>>();
  readonly #ended = new Set<string>();
  #now = 0;

  at(second: number): void {
    this.#now = BEGIN_MS + second * 1000;
  }

  write(line: Line, afterMs = 0): void {
    this.lines.push({ atMs: this.#now + afterMs, ...line } as At);
  }

  pod(name: string): PodState {
    return this.pods.get(uidOf(name)) as PodState;
  }

  create(name: string, more: Partial<PodState> = {}): void {
    const uid = uidOf(name);
    const labels = { labels: "", phase: "Pending", isReady: false, isDeleting: false, ips: [], statuses: [] };
    this.pods.set(uid, { uid, name: `shop/${name}`, isStatic: false, ...labels, ...more });
    if (more.isStatic !== true) this.api("ADDED", name);
    this.send("ADDED", name);
  }

  api(type: "ADDED" | "MODIFIED" | "DELETED", name: string): void {
    this.write({ who: "api", type, uid: uidOf(name), name: `shop/${name}` });
  }

  /** The sandbox gets an address, and a container starts. */
  run(name: string, ip: string, life = 0): void {
    const [uid, id] = [uidOf(name), idOf(name, life)];
    const about = { who: "runtime" as const, uid, pod: `shop/${name}` };
    if (life === 0) {
      this.write({ who: "runtime", type: "create", id: sandboxOf(name), happenedMs: this.#now });
      this.write({ ...about, type: "info", id: sandboxOf(name), kind: "sandbox" });
      this.write({ who: "cni", type: "HELD", ip, sandbox: sandboxOf(name) });
    }
    this.write({ who: "runtime", type: "create", id, happenedMs: this.#now + 200 }, 200);
    this.write({ ...about, type: "info", id, kind: "container", name: "main" }, 210);
    this.write({ who: "runtime", type: "start", id, happenedMs: this.#now + 300, pid: pidOf(name, life) }, 300);
    const pod = this.pod(name);
    const lastId = life === 0 ? "" : idOf(name, life - 1);
    Object.assign(pod, { phase: "Running", isReady: true, ips: [ip] });
    pod.statuses = [{ name: "main", id, count: life, state: "R", reason: "", lastId }];
    this.send("MODIFIED", name, 320);
    this.life(name, { type: "STARTED", id, restartCount: life, initial: false }, 330);
  }

  exit(name: string, exitCode: number, phase: string, life = 0): void {
    const id = idOf(name, life);
    this.write({ who: "runtime", type: "exit", id, exitCode, happenedMs: this.#now });
    const pod = this.pod(name);
    Object.assign(pod, { phase, isReady: false });
    pod.statuses = [{ name: "main", id, count: life, state: "T", reason: "Error", lastId: "" }];
    this.send("MODIFIED", name, 20);
    const exit = { cause: "status", exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
    this.life(name, { type: "ENDED", id, restartCount: life, initial: false, ...exit }, 30);
  }

  life(name: string, more: object, afterMs: number): void {
    const about = { who: "lives", uid: uidOf(name), pod: `shop/${name}`, name: "main" };
    this.write({ ...about, ...more } as Line, afterMs);
  }

  /** The kubelet has finished a pod: its end is told, and lists go on having it. */
  finish(name: string): void {
    const uid = uidOf(name);
    this.#ended.add(uid);
    this.write({ who: "raw", type: "DELETED", pod: this.#briefOf(this.pod(name)) });
    for (const who of ["live", "readiness", "selected", "informer", "list", "snapshots"] as const)
      this.#tellGone(who, uid, "finished", 10);
  }

  /** Its object goes. */
  remove(name: string): void {
    this.api("DELETED", name);
    this.pods.delete(uidOf(name));
  }

  free(ip: string): void {
    this.write({ who: "cni", type: "FREE", ip });
  }

  send(type: "ADDED" | "MODIFIED", name: string, afterMs = 0): void {
    this.write({ who: "raw", type, pod: this.#briefOf(this.pod(name)) }, afterMs);
    for (const who of CONSUMERS) this.#tell(who, this.pod(name), afterMs + 10);
  }

  list(): void {
    const now = new Map([...this.pods].map(([uid, pod]) => [uid, JSON.stringify(pod)]));
    const set = [...this.pods.values()].filter(({ uid }) => this.#listed.get(uid) !== now.get(uid));
    const gone = [...this.#listed.keys()].filter((uid) => !now.has(uid));
    this.write({ who: "raw", type: "LIST", set: set.map((pod) => this.#briefOf(pod)), gone });
    this.#listed = now;
    for (const uid of gone) this.#tellGone("all", uid, "missing", 500);
  }

  resync(): void {
    for (const who of CONSUMERS) for (const pod of this.pods.values()) this.#tell(who, pod, 20);
  }

  synced(): void {
    for (const who of CONSUMERS) {
      if (who === "list" || who === "snapshots") continue;
      this.write({ who, type: "SYNCED", initial: true, count: this.#view(who).size, unconfirmed: 0 }, 30);
    }
    this.write({ who: "lives", type: "SYNCED" }, 30);
  }

  #view(who: Consumer): Map<string, string> {
    let view = this.#told.get(who);
    if (view === undefined) {
      view = new Map();
      this.#told.set(who, view);
    }
    return view;
  }

  #tell(who: Consumer, pod: PodState, afterMs: number): void {
    const { uid, name, labels } = pod;
    const view = this.#view(who);
    if (who !== "all" && this.#ended.has(uid)) return;
    if (who === "selected" && labels !== "judge=one") return;
    const content = this.#briefOf(pod).contents[who === "readiness" ? "readiness" : "whole"];
    const before = view.get(uid);
    if (before === content) return;
    view.set(uid, content);
    this.write({ who, type: before === undefined ? "ADDED" : "MODIFIED", uid, name, content }, afterMs);
  }

  #tellGone(who: Consumer, uid: string, cause: string, afterMs: number): void {
    const view = this.#view(who);
    const content = view.get(uid);
    if (content === undefined) return;
    view.delete(uid);
    const isPolled = who === "list" || who === "snapshots";
    const name = uid.replace("uid-", "shop/");
    this.write({ who, type: "DELETED", uid, name, content, ...(!isPolled && { cause }) }, afterMs);
  }

  #briefOf({ labels, isReady, ...pod }: PodState): Brief {
    const { uid, phase, isDeleting, statuses } = pod;
    const states = statuses.map(({ state, count }) => `${state}${count}`).join(",");
    const seen = `${uid}${isDeleting ? "-deleting" : ""}`;
    const status = `${phase}-${isReady}`;
    const whole = `${seen}-${labels}.spec.${status}-${states}-${statuses.map(({ id }) => id.slice(0, 8)).join("-")}`;
    const contents = { whole, readiness: `${seen}..${status}` };
    return { ...pod, reason: "", isSelected: labels === "judge=one", states, contents };
  }
}

const CONSUMERS = ["live", "all", "readiness", "selected", "informer", "list", "snapshots"] as const;
const pidOf = (name: string, life: number): number => 1_000 + name.charCodeAt(0) * 10 + life;

/** What happens, by seconds. */
const STORY: [second: number, what: (script: Script) => void][] = [
  [1, (s) => s.create("host", { isStatic: true })],
  [1.5, (s) => s.run("host", "10.0.0.9")],
  [2.5, (s) => s.synced()],
  [10, (s) => s.create("web", { labels: "judge=one" })],
  [11, (s) => s.run("web", "10.0.0.2")],
  [12, (s) => s.create("job")],
  [13, (s) => s.run("job", "10.0.0.3")],
  [14, (s) => s.create("loop")],
  [15, (s) => s.run("loop", "10.0.0.4")],
  [25, (s) => s.exit("loop", 3, "Running")],
  [27, (s) => s.run("loop", "10.0.0.4", 1)],
  [40, (s) => s.exit("job", 0, "Succeeded")],
  [41, (s) => s.finish("job")],
  [42, (s) => s.free("10.0.0.3")],
  [55, (s) => s.remove("job")],
  [
    60,
    (s) => {
      s.pod("web").isDeleting = true;
      s.api("MODIFIED", "web");
      s.send("MODIFIED", "web");
    },
  ],
  [62, (s) => s.exit("web", 0, "Succeeded")],
  [62.5, (s) => s.free("10.0.0.2")],
  [63, (s) => s.finish("web")],
  [63.5, (s) => s.remove("web")],
  [70, (s) => s.create("next")],
  [71, (s) => s.run("next", "10.0.0.2")],
  // Nobody is told when labels alone change.
  [
    81,
    (s) => {
      s.pod("loop").labels = "judge=one";
    },
  ],
  [
    100,
    (s) => {
      s.pod("loop").isReady = false;
      s.send("MODIFIED", "loop");
    },
  ],
];

const HEAD = "NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE   IP         NODE   NOMINATED NODE   READINESS GATES";
const row = (name: string): string =>
  `shop        ${name}   1/1     Running   0          3m    10.0.0.2   n1     <none>           <none>`;
const TABLE = [HEAD, row("loop"), row("next")].join("\n");
const JSON_LIST = JSON.stringify({
  items: ["loop", "next"].map((name) => ({
    metadata: { namespace: "shop", name },
    spec: { nodeName: "n1" },
    status: {},
  })),
});

/** Questions at seconds, about a time or now, and who is meant. */
const QUESTIONS: [second: number, type: string, key: object, atS: number | undefined, answer: object | undefined][] = [
  [20, "find", { ip: "10.0.0.2" }, undefined, { uid: uidOf("web"), confidence: "reported" }],
  [22, "byIP", { ip: "10.0.0.4" }, undefined, { uid: uidOf("loop") }],
  [90, "find", { ip: "10.0.0.2" }, 30, { uid: uidOf("web"), confidence: "reported" }],
  [90, "find", { ip: "10.0.0.2" }, 80, { uid: uidOf("next"), confidence: "reported" }],
  [90, "find", { ip: "10.0.0.2" }, 64, { uid: uidOf("web"), confidence: "uncertain" }],
  [90, "find", { ip: "10.0.0.3" }, 300, undefined],
  [
    30,
    "find",
    { containerID: idOf("loop") },
    undefined,
    { uid: uidOf("loop"), containerID: idOf("loop"), confidence: "reported" },
  ],
  [30, "byContainerID", { containerID: idOf("web") }, undefined, { uid: uidOf("web") }],
  [50, "find", { namespace: "shop", name: "web" }, 30, { uid: uidOf("web"), confidence: "reported" }],
  [
    71.1,
    "waitFor",
    { containerID: idOf("next") },
    undefined,
    { uid: uidOf("next"), containerID: idOf("next"), confidence: "reported" },
  ],
  [70, "waitFor", { namespace: "shop", name: "next" }, undefined, { uid: uidOf("next"), confidence: "reported" }],
  [71.5, "processIdentity", { pid: pidOf("next", 0) }, undefined, { uid: uidOf("next"), containerID: idOf("next") }],
];

/** Returns the record, in the order of its times. */
export function wellRecord(): At[] {
  const script = new Script();
  const steps = [...STORY];
  for (let s = 0; s <= END_S; s += LIST_S) steps.push([s + 0.75, (script) => script.list()]);
  for (let s = RESYNC_S; s <= END_S; s += RESYNC_S) steps.push([s + 0.8, (script) => script.resync()]);
  for (const [second, what] of steps.sort(([a], [b]) => a - b)) {
    script.at(second);
    what(script);
  }
  for (const [second, type, key, atS, answer] of QUESTIONS) {
    script.at(second);
    const times = { askedMs: BEGIN_MS + second * 1000, ...(atS !== undefined && { at: BEGIN_MS + atS * 1000 }) };
    const line = { who: "lookup", type, key, ...times, isSynced: true, ...(answer !== undefined && { answer }) };
    script.write(line as Line, type === "waitFor" ? 400 : 1);
  }
  script.at(350);
  script.write({ who: "kubectl", type: "TABLE", before: TABLE, ours: TABLE, after: TABLE });
  script.write({ who: "kubectl", type: "JSON", before: JSON_LIST, ours: JSON_LIST, after: JSON_LIST });
  return inOrder(script.lines);
}

export function inOrder(lines: readonly At[]): At[] {
  return [...lines].sort((a, b) => a.atMs - b.atMs);
}
