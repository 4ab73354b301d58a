// The journal: what has ended is read again after restarts, kills, damage and full disks. On real files; agents are informers on the
// reference kubelet.

import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EndedQuery, EndedRecord, InformerOptions, PodInformer } from "../../src/index.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { pastEnds } from "../../src/readers/ended-feed.js";
import { encodePod } from "../../src/testing/told-pod.js";
import { endOf, endsIn, journalOf, taken, temporary, writtenIn } from "../helpers/ends.js";
import { clientOf, environmentOf, kubeletOf } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const A = "2c4d8b1e-0000-4000-8000-00000000000a";
const B = "2c4d8b1e-0000-4000-8000-00000000000b";
const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-6bf9d8c7d5", uid: "r", controller: true };
const podOf = (uid: string) => ({
  metadata: {
    uid,
    namespace: "shop",
    name: `web-${uid.slice(-1)}`,
    labels: { "pod-template-hash": "6bf9d8c7d5" },
    annotations: { secret: "of an annotation" },
    ownerReferences: [owner],
  },
  spec: {
    containers: [
      { name: "app", image: "a", args: ["of an argument"], env: [{ name: "E", value: "of the environment" }] },
    ],
  },
});

const words = ({ name, container, cause, end }: EndedRecord) =>
  `${name} ${container === undefined ? "(pod)" : `${container.name}#${container.restartCount}`} ${cause} ${end.reason} ${end.exitCode ?? "-"}`;

/** A kubelet with pods, and agents on it that share a journal. */
async function nodeOf(t: TestContext, uids = [A]) {
  const kubelet = await kubeletOf(t, { pods: uids.map(podOf) });
  for (const uid of uids) kubelet.startPod(uid);
  const directory = temporary(t);
  const agent = async (options: InformerOptions<never> = {}): Promise<PodInformer> => {
    const pods = clientOf(t, { socketPath: kubelet.socketPath });
    const informer = pods.informer({ retainMs: 600_000, mask: undefined, journal: { directory }, ...options });
    await informer.synced();
    return informer;
  };
  return { kubelet, directory, agent };
}

test("each end is written once with its cause, its code and its workload, and is found by another agent", async (t) => {
  const { kubelet, directory, agent } = await nodeOf(t, [A, B]);
  const first = await agent();
  kubelet.restartContainer(A, "app", { exitCode: 137, reason: "OOMKilled" });
  kubelet.restartContainer(A, "app", { exitCode: 3 });
  kubelet.deletePod(B);
  kubelet.finishPod(B);
  await until(t, () => first.list().length === 1);
  const expected = [
    "web-a app#0 exited OOMKilled 137",
    "web-a app#1 exited exited 3",
    "web-b app#0 exited deleted 0",
    "web-b (pod) finished deleted 0",
  ];
  const records = await taken(first.ended());
  assert.deepEqual(records.map(words).sort(), [...expected].sort());
  assert.equal(words(records[0] ?? assert.fail()), expected[3], "the newest is first");
  assert.deepEqual(records[0]?.workload, { kind: "Deployment", name: "web" });
  assert.deepEqual((await taken(first.ended({ uid: A }))).map(words), [expected[1], expected[0]]);
  assert.deepEqual((await taken(first.ended({ namespace: "shop", name: "web-b", since: 0 }))).length, 2);
  const { containerID = "" } = records.find(({ container }) => container?.restartCount === 1)?.container ?? {};
  assert.deepEqual((await taken(first.ended({ containerID }))).map(words), [expected[1]]);
  assert.equal(first.state.journal?.written, 4);
  await first.close();
  kubelet.removePod(B);
  const second = await agent();
  assert.deepEqual((await taken(second.ended())).map(words).sort(), [...expected].sort());
  assert.equal(second.state.journal?.written, 0, "what the kubelet shows still is written already");
  const text = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), "utf8"))
    .join("");
  assert.doesNotMatch(text, /of an|of the env/);
  const pods = text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line).pod ?? [])));
  for (const pod of pods) assert.doesNotMatch(Buffer.from(pod, "base64").toString("latin1"), /of an|of the env/);
  assert.equal(pods.length, 1);
});

test("what a pod had before the agent restarted answers find, as gone, and with its end", async (t) => {
  const { kubelet, agent } = await nodeOf(t, [A, B]);
  const mask = ["metadata.name", "status.podIP"] as never;
  const first = await agent({ mask });
  const ip = first.get({ uid: B })?.status.podIP ?? assert.fail();
  kubelet.restartContainer(A, "app", { exitCode: 3 });
  kubelet.restartContainer(A, "app", { exitCode: 4 });
  kubelet.deletePod(B);
  kubelet.finishPod(B);
  await until(t, () => first.list().length === 1);
  const [ofPod, , older] = await taken(first.ended());
  const containerID = older?.container?.containerID ?? assert.fail();
  await first.close();
  kubelet.removePod(B);
  const second = await agent({ mask });
  const { pod, gone, certainty } = second.find({ uid: B });
  assert.deepEqual(
    [pod?.metadata.name, certainty, gone?.cause, gone?.end?.reason],
    ["web-b", "proved", "finished", "deleted"],
  );
  assert.ok(Math.abs(Number(gone?.at) - Number(ofPod?.learnedAt)) < 1_000);
  assert.deepEqual([second.find({ ip }).pod?.metadata.name, second.find({ ip }).certainty], ["web-b", "contested"]);
  assert.equal(second.get({ uid: B }), undefined);
  const former = second.find({ containerID });
  assert.deepEqual([former.pod?.metadata.name, former.container?.ended, former.gone], ["web-a", true, undefined]);
  await second.close();
  const brief = await agent({ mask, retainMs: 2_000 });
  await until(t, () => brief.state.retained === 0); // for no longer than it is wanted, though nothing else happens
  assert.equal(brief.find({ uid: B }).pod, undefined);
  await brief.close();
  const whole = await agent();
  assert.equal(whole.find({ uid: B }).pod, undefined, "a journal has a part of the pod alone");
});

test("numbers of cgroups are those of one boot: after another one they mean nobody", () => {
  const now = { nowMs: 5_000, wallMs: 1e12 };
  const line = {
    ...endOf(1, { container: undefined, cause: "finished", learnedAt: new Date(1e12 - 1_000) }),
    n: 1,
    order: 1,
    writer: "w",
  };
  const pod = encodePod(fromKubernetesJson(podOf(A)));
  const of = (bootID: string) =>
    pastEnds([{ ...line, pod, cgroups: [["77", undefined]], record: { ...line.record, bootID } }], "now", now, 0)[0];
  assert.deepEqual([...(of("now")?.cgroups ?? [])], [["77", undefined]]);
  assert.equal(of("now")?.atMs, 1);
  assert.deepEqual([...(of("before")?.cgroups ?? assert.fail())], []);
  assert.equal(of("before")?.atMs, 4_000, "its monotonic clock was another");
});

test("a reader goes on from its cursor over restarts, and misses nothing of two agents at once", async (t) => {
  const { kubelet, agent } = await nodeOf(t, [A, B]);
  const first = await agent();
  const next = (count: number) => kubelet.restartContainer(A, "app", { exitCode: count });
  for (let count = 1; count <= 3; count++) next(count);
  await until(t, () => first.find({ uid: A, containerName: "app" }).container?.restartCount === 3);
  const upward = await taken(first.ended({ follow: false, after: "0" }));
  assert.deepEqual(
    upward.map(({ end }) => end.exitCode),
    [1, 2, 3],
  );
  const seam = upward[1]?.seq ?? assert.fail();
  assert.deepEqual(
    (await taken(first.ended({ after: seam }))).map(({ end }) => end.exitCode),
    [3],
  );
  const second = await agent();
  for (let count = 4; count <= 6; count++) next(count);
  await until(t, () => second.find({ uid: A, containerName: "app" }).container?.restartCount === 6);
  await first.close();
  next(7);
  await until(t, () => second.find({ uid: A, containerName: "app" }).container?.restartCount === 7);
  const stop = new AbortController();
  const codes: unknown[] = [];
  const following = (async () => {
    for await (const { end } of second.ended({ after: seam, follow: true, signal: stop.signal }))
      codes.push(end.exitCode);
  })();
  await until(t, () => codes.length === 5);
  next(8);
  await until(t, () => codes.length === 6);
  assert.deepEqual(codes, [3, 4, 5, 6, 7, 8], "each once, though two agents have written some");
  stop.abort(new Error("enough"));
  await assert.rejects(following, /enough/);
  // Looked at before: the journal may take its time to close.
  const other = assert.rejects(taken(second.ended({ follow: true })), { code: "closed" }, "with the informer");
  await second.close();
  await other;
  assert.equal((await taken(second.ended({ after: seam }))).length, 6, "what is there is read all the same");
  for (const query of [{ after: "x" }, { after: "1~w:1" }, { since: "1h" }, { uuid: "" }] as unknown as EndedQuery[])
    assert.throws(() => second.ended(query), { code: "invalid-argument" }, JSON.stringify(query));
  const plain = clientOf(t, { socketPath: kubelet.socketPath }).informer();
  assert.throws(() => plain.ended(), /the informer was made without a journal; informer\(\{ journal/);
});

test("a file that is cut at any byte of its last lines has all lines before, and goes on", async (t) => {
  const directory = temporary(t);
  await writtenIn(t, directory, 8);
  const [name = ""] = readdirSync(directory);
  const path = join(directory, name);
  const whole = readFileSync(path);
  const lines = (bytes: Buffer) => bytes.toString().split("\n").length - 1;
  for (let size = whole.length; size > whole.length - 1_000; size--) {
    writeFileSync(path, whole.subarray(0, size));
    assert.equal((await taken(endsIn(t, directory))).length, lines(whole.subarray(0, size)), `${size}`);
  }
  const journal = journalOf(t, directory);
  const before = (await journal.open()).length;
  journal.append(endOf(100));
  await journal.close();
  assert.equal((await taken(endsIn(t, directory))).length, before + 1);
});

test("a damaged line is passed over and counted, wherever it is damaged", async (t) => {
  const directory = temporary(t);
  await writtenIn(t, directory, 3);
  const [name = ""] = readdirSync(directory);
  const path = join(directory, name);
  const whole = readFileSync(path);
  const first = whole.indexOf(10);
  const second = whole.indexOf(10, first + 1);
  for (let at = first + 1; at < second; at++) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(path, damaged);
    const codes = (await taken(endsIn(t, directory))).map(({ end }) => end.exitCode);
    assert.deepEqual(codes, [2, 0], `${at}`);
  }
  const journal = journalOf(t, directory);
  await journal.open();
  assert.equal(journal.state.damaged, 1);
  await journal.close();
  writeFileSync(path, whole);
  appendFileSync(path, `${JSON.stringify({ v: 1, n: 9 })}\n${"x".repeat(700_000)}`);
  assert.equal((await taken(endsIn(t, directory))).length, 3);
});

test("a directory that is removed, a disk that cannot be written: counted, tried again, and nothing is lost", async (t) => {
  const directory = temporary(t);
  const journal = journalOf(t, directory);
  await journal.open();
  journal.append(endOf(1));
  await journal.written();
  rmSync(directory, { recursive: true });
  journal.append(endOf(2));
  await journal.written();
  assert.deepEqual(
    (await taken(endsIn(t, directory))).map(({ end }) => end.exitCode),
    [2],
  );
  rmSync(directory, { recursive: true });
  writeFileSync(directory, "a file in its place");
  journal.append(endOf(3));
  journal.append(endOf(4));
  await journal.written();
  assert.equal(journal.state.waiting, 2);
  assert.match(journal.state.error?.message ?? "", /cannot be written|is a link, or no directory/);
  rmSync(directory);
  await until(t, () => {
    environmentOf(t).clock.after(1, () => {});
    return journal.state.waiting === 0;
  });
  assert.deepEqual(
    (await taken(endsIn(t, directory))).map(({ end }) => end.exitCode),
    [4, 3],
  );
  assert.equal(journal.state.error, undefined);
  for (let n = 10; n < 20_100; n++) journal.append(endOf(n));
  assert.ok(journal.state.lost > 0 && journal.state.waiting <= 10_001);
  await journal.close();
});

test("links, directories of others and files of others are refused; its own are for nobody else", async (t) => {
  const directory = temporary(t);
  await writtenIn(t, directory, 1);
  const [name = ""] = readdirSync(directory);
  assert.equal(lstatSync(directory).mode & 0o777, 0o700);
  assert.equal(lstatSync(join(directory, name)).mode & 0o777, 0o600);
  const link = `${directory}-link`;
  symlinkSync(directory, link);
  await assert.rejects(taken(endsIn(t, link)), /is a link, or no directory/);
  const journal = journalOf(t, link);
  await journal.open();
  assert.equal(journal.state.error?.code, "invalid-path");
  await journal.close();
  symlinkSync(join(directory, name), join(directory, "ended.0.1-0.1.jsonl"));
  mkdirSync(join(directory, "ended.0.1-0.2.jsonl"));
  assert.equal((await taken(endsIn(t, directory))).length, 1, "no link and no directory is read");
  chmodSync(directory, 0o777);
  await assert.rejects(taken(endsIn(t, directory)), /may be written by others; chmod 0700$/);
});
