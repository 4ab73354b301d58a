// `kubelet-pods record` and `serve --replay`: what a kubelet said is said again.

import assert from "node:assert/strict";
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/cli/run.js";
import { type PodJson, parseRecording, type RecordingLine, Replay } from "../../src/testing/index.js";
import { clientOf, environmentOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { consoleOf } from "./console.js";

const A = "2c4d8b1e-0000-4000-8000-00000000000a";
const B = "2c4d8b1e-0000-4000-8000-00000000000b";
const C = "2c4d8b1e-0000-4000-8000-00000000000c";

/** A pod with a secret in each place that may have one. */
function secretive(uid: string, namespace = "shop"): PodJson {
  return {
    metadata: {
      uid,
      name: `web-${uid.slice(-1)}`,
      namespace,
      labels: { app: "web" },
      annotations: { "example.com/token": "SECRET-annotation", "kubernetes.io/config.source": "api" },
    },
    spec: {
      containers: [
        {
          name: "app",
          image: "registry.example/web:1",
          args: ["SECRET-arg"],
          command: ["SECRET-command"],
          env: [{ name: "TOKEN", value: "SECRET-env" }],
          resources: { limits: { memory: "64Mi" } },
        },
      ],
      volumes: [{ name: "v", csi: { driver: "d", volumeAttributes: { key: "SECRET-volume" } } }],
    },
  };
}

/** Starts a recording of a kubelet's socket. */
function recording(t: TestContext, socketPath: string, ...options: string[]) {
  const file = join(temporaryDirectory(t), "said.jsonl");
  const over = new AbortController();
  const console = consoleOf({ signal: over.signal, environment: environmentOf(t) });
  const done = run(["record", file, "--socket", socketPath, ...options], console);
  const lines = (): RecordingLine[] => parseRecording(readFileSync(file, "utf8"));
  t.after(() => over.abort());
  const has = (isSuch: (line: RecordingLine) => boolean) =>
    until(t, () => {
      try {
        return lines().some(isSuch);
      } catch {
        return false; // not begun
      }
    });
  const end = () => {
    over.abort();
    return done;
  };
  return { file, console, lines, has, end };
}

/** What a line says, without its time and its pod. */
const kindOf = ({ atMs: _, ...line }: RecordingLine) =>
  "pod" in line && line.pod !== undefined ? { ...line, pod: "pod" } : line;

test("records lists, events, a lost connection and a restart, and replays them to a client", async (t) => {
  const kubelet = await kubeletOf(t, { pods: [secretive(A), secretive(B), secretive(C, "bank")] });
  const { file, lines, has, end, console } = recording(t, kubelet.socketPath);
  await has((line) => "list" in line && line.list === C);
  kubelet.startPod(A, { ip: "10.1.1.1" });
  await has((line) => "event" in line && line.event === "MODIFIED");
  kubelet.finishPod(B);
  await has((line) => "event" in line && line.event === "DELETED");
  kubelet.removePod(B);
  await has((line) => "list" in line && line.list === B && line.pod === undefined);
  kubelet.faults.dropConnection();
  await has((line) => "cut" in line);
  kubelet.setInitializing(true);
  await kubelet.restart();
  await has((line) => "start" in line && line.initializing === true);
  kubelet.setInitializing(false);
  await has((line) => "ready" in line);
  assert.equal(await end(), 0);
  assert.match(console.errors, /lines, 2 pods\n$/);
  assert.equal(lstatSync(file).mode & 0o777, 0o600);

  const kinds = lines().map(kindOf);
  const first = [A, B, C].map((list) => ({ list, pod: "pod" }));
  assert.deepEqual(kinds.slice(1, 5), [...first, { start: 1 }], "a replay must not answer before it has the pods");
  assert.ok("recorded" in (lines()[0] as object));
  const at = (kind: object) => kinds.findIndex((each) => JSON.stringify(each) === JSON.stringify(kind));
  assert.ok(at({ event: "DELETED", pod: "pod" }) < at({ list: B }), "lists omit a pod only after its DELETED");
  assert.ok(at({ stop: true }) > at({ cut: true }));
  assert.ok(at({ ready: true }) > at({ start: 2, initializing: true }));
  assert.doesNotMatch(Buffer.from(readFileSync(file)).toString(), /SECRET/);
  const said = lines().map((line) => ("pod" in line && line.pod !== undefined ? Buffer.from(line.pod) : ""));
  assert.doesNotMatch(said.join(""), /SECRET/, "the recorded pods contain no secret");
  assert.match(said.join(""), /kubernetes.io\/config.source/);

  const replay = await Replay.start(lines(), {}, environmentOf(t).clock);
  t.after(() => replay.close());
  const events: string[] = [];
  const pods = clientOf(t, { socketPath: replay.socketPath });
  const informer = pods.informer({ includeFinished: true });
  const reading = (async () => {
    for await (const event of informer)
      events.push("pod" in event ? `${event.type} ${event.pod.metadata.name}` : event.type);
  })();
  await replay.finished;
  await until(t, () => informer.state.phase === "synced" && informer.size === 2);
  assert.ok(events.includes("DISCONNECTED"));
  assert.ok(events.includes("DELETED web-b"));
  assert.equal(informer.get({ ip: "10.1.1.1" })?.metadata.uid, A);
  await informer.close();
  await assert.rejects(reading, { code: "closed" });
});

const POD_A = Uint8Array.from([10, 3, 42, 1, 97]); // metadata.uid = "a"

test("a replay that cannot start rejects, and nothing of it goes on", async (t) => {
  const { clock } = environmentOf(t);
  const file = join(temporaryDirectory(t), "a-file");
  writeFileSync(file, "");
  const lines: RecordingLine[] = [
    { atMs: 0, recorded: "2026-11-01T00:00:00Z", mask: [] },
    { atMs: 5, start: 1 },
    { atMs: 8_000, cut: true },
  ];
  const started = Replay.start(lines, { socketPath: file }, clock);
  await assert.rejects(started, { code: "not-a-socket" });
  assert.equal(lstatSync(file).isFile(), true);
});

test("a replay has started once it listens, and has finished once it is closed", async (t) => {
  const { clock } = environmentOf(t);
  const lines: RecordingLine[] = [
    { atMs: 0, recorded: "2026-11-01T00:00:00Z", mask: [] },
    { atMs: 100, start: 1 },
    { atMs: 3_600_000, cut: true },
  ];
  const replay = await Replay.start(lines, {}, clock);
  assert.ok(lstatSync(replay.socketPath).isSocket());
  await replay.close();
  await replay.finished;
});

test("a watch that opens between an ADDED and the next list of a recording gets the pod", async (t) => {
  const { clock } = environmentOf(t);
  const lines: RecordingLine[] = [
    { atMs: 0, start: 1 },
    { atMs: 1, event: "ADDED", pod: POD_A },
    { atMs: 2, cut: true },
    { atMs: 3_600_000, list: "a", pod: POD_A },
  ];
  const replay = await Replay.start(lines, {}, clock);
  t.after(() => replay.close());
  const pods = clientOf(t, { socketPath: replay.socketPath });
  await until(t, async () => (await pods.listPods()).length === 1);
});

test("rejects masks of fields that are never recorded, and output files that already exist", async (t) => {
  const directory = temporaryDirectory(t);
  const told = async (...words: string[]) => {
    const console = consoleOf();
    const code = await run(["record", ...words], console);
    return `${code} ${console.errors}`;
  };
  const file = join(directory, "new.jsonl");
  for (const mask of [
    "metadata.managedFields",
    "spec",
    "spec.containers",
    "spec.containers.env",
    "spec.containers.args",
    "spec.containers.lifecycle",
    "spec.initContainers.livenessProbe",
    "metadata",
    "metadata.annotations",
  ])
    assert.match(await told(file, "--mask", mask), /^2 .*is never recorded/, mask);
  assert.match(await told(file, "--mask", "spec.nope"), /^2 .*nope/);
  assert.match(await told(), /^2 .*record: give one file/);
  const link = join(directory, "link");
  symlinkSync(file, link);
  for (const there of [link, directory]) assert.match(await told(there), /^2 .*already exists/);
  assert.match(await told(join(directory, "none/file")), /^2 .*cannot be created \(ENOENT\)/);
});

test("rejects an invalid recording with its line number, and skips a truncated last line", () => {
  const good = '{"atMs":0,"start":1}\n{"atMs":5,"list":"u","pod":"CgA="}\n{"atMs":9,"event":"DELETED","pod":""}\n';
  assert.equal(parseRecording(good).length, 3);
  assert.equal(parseRecording(`${good}{"atMs":10,"st`).length, 3);
  const bad = [
    "",
    "{}\n",
    "[]\n",
    "null\n",
    '{"atMs":0}\n',
    '{"start":1}\n',
    '{"atMs":"0","start":1}\n',
    '{"atMs":0,"start":"1"}\n',
    '{"atMs":0,"event":"GONE","pod":""}\n',
    '{"atMs":0,"event":"ADDED"}\n',
    '{"atMs":0,"list":7}\n',
    '{"atMs":0,"list":"u","pod":"\u00e4"}\n',
    '{"atMs":5,"cut":true}\n{"atMs":4,"cut":true}\n',
    "not json\n",
  ];
  for (const text of bad) assert.throws(() => parseRecording(text), { code: "invalid-argument" }, text);
  assert.throws(() => parseRecording(`${good}{"atMs":1,"nothing":1}\n`), /line 4 /);
});

test("serve --replay replays a recording, and rejects options that contradict it", async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, "said.jsonl");
  writeFileSync(file, '{"atMs":0,"start":1}\n');
  const over = new AbortController();
  const console = consoleOf({ signal: over.signal, environment: environmentOf(t) });
  const socketPath = join(directory, "pods.sock");
  const done = run(["serve", "--replay", file, "--socket", socketPath, "--speed", "2"], console);
  await until(t, () => console.errors.includes("end of the recording"));
  assert.deepEqual(await clientOf(t, { socketPath }).listPods(), []);
  over.abort();
  assert.equal(await done, 0);
  assert.equal(console.output, `replaying a recording of 1 line\nexport KUBELET_PODS_SOCKET=${socketPath}\n`);
  for (const [words, why] of [
    [["--replay", file, "--churn", "1"], /--churn cannot be combined with --replay/],
    [["--replay", join(directory, "none")], /cannot be read \(ENOENT\)/],
    [["--replay", socketPath], /cannot be read|longer/],
    [["--speed", "2"], /--speed needs --replay/],
    [["--replay", file, "--speed", "0"], /speed/],
  ] as const) {
    const refused = consoleOf();
    assert.equal(await run(["serve", ...words], refused), 2, words.join(" "));
    assert.match(refused.errors, why);
  }
});
