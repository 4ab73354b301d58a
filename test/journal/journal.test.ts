// The journal with real files and the reference kubelet: what is written, iterated and read.

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type PodInformer, PodsClient, type PodsError } from "../../src/index.js";
import { textOf } from "../../src/journal/end-record.js";
import {
  type EndRecord,
  type Journal,
  type JournalOptions,
  type JournalQuery,
  openJournal,
  readJournal,
} from "../../src/journal/index.js";
import { JournalFiles } from "../../src/journal/journal-files.js";
import { type MetricResult, registerMetrics } from "../../src/otel/index.js";
import type { ReferenceKubelet } from "../../src/testing/index.js";
import { clientOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { endOf, writeJournal } from "./ends.js";

const uid = (n: number) => `2c4d8b1e-0000-4000-8000-${String(n).padStart(12, "0")}`;
const pod = (n: number, { namespace = "shop", name = `pod-${n}`, restartPolicy = "Always" } = {}) => ({
  metadata: { uid: uid(n), namespace, name, labels: {} },
  spec: { restartPolicy, containers: [{ name: "main", image: "app:1" }] },
});

async function read(query: JournalQuery): Promise<EndRecord[]> {
  const ends: EndRecord[] = [];
  for await (const end of readJournal(query)) ends.push(end);
  return ends;
}

const words = (ends: readonly EndRecord[]) =>
  ends.map(({ name, container, end }) => `${name}/${container?.name ?? "-"} ${end.reason} ${end.exitCode}`);

/** Takes records until some have come, and then one more turn, so that the last one counts as taken. */
async function take(journal: Journal, count: number): Promise<EndRecord[]> {
  const taken: EndRecord[] = [];
  const records = journal[Symbol.asyncIterator]();
  while (taken.length < count) {
    const { value, done } = await records.next();
    assert.ok(done !== true, "the journal ended");
    taken.push(value);
  }
  await records.return?.();
  return taken;
}

/** Takes the records that are left, until the loop throws that the client was closed. */
async function takeRest(journal: Journal): Promise<EndRecord[]> {
  const taken: EndRecord[] = [];
  const loop = async () => {
    for await (const end of journal) taken.push(end);
  };
  await assert.rejects(loop(), { code: "closed" });
  return taken;
}

/** Resolves when the journal has written this many ends. */
async function written(journal: Journal, count: number): Promise<void> {
  while (journal.state.written < count) {
    if (journal.state.error !== undefined) throw journal.state.error;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function node(t: TestContext, count: number): Promise<{ kubelet: ReferenceKubelet; directory: string }> {
  const kubelet = await kubeletOf(t, { pods: Array.from({ length: count }, (_, i) => pod(i)) as never });
  for (let i = 0; i < count; i++) kubelet.startPod(uid(i), { ip: `10.0.0.${i}` });
  return { kubelet, directory: join(temporaryDirectory(t), "ends") };
}

test("writes and iterates every container and pod end, and reads the latest first", async (t) => {
  const { kubelet, directory } = await node(t, 2);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  const iterated = take(journal, 4);
  await pods.informer().synced();
  const { containerID } = kubelet.restartContainer(uid(0), "main", { exitCode: 3 });
  await written(journal, 1);
  kubelet.restartContainer(uid(0), "main", { exitCode: 137, reason: "OOMKilled" });
  await written(journal, 2);
  kubelet.deletePod(uid(1));
  kubelet.endContainer(uid(1), "main", { exitCode: 0 });
  kubelet.finishPod(uid(1));
  assert.deepEqual(words(await iterated), [
    "pod-0/main exited 3",
    "pod-0/main OOMKilled 137",
    "pod-1/main deleted 0",
    "pod-1/- deleted 0",
  ]);
  assert.deepEqual(words(await read({ directory })).sort(), words(await iterated).sort());
  const times = (await read({ directory })).map(({ end, recordedAt }) => (end.finishedAt ?? recordedAt).getTime());
  assert.deepEqual(
    times,
    [...times].sort((a, b) => b - a),
  );
  const [exited] = await read({
    directory,
    containerID: `containerd://${kubelet.entries().length > 0 ? (await iterated)[0]?.container?.containerID : containerID}`,
  });
  assert.deepEqual([exited?.container?.restartCount, exited?.podIPs, exited?.end.oom], [0, ["10.0.0.0"], undefined]);
  const oom = (await read({ directory, uid: uid(0), limit: 1 }))[0];
  assert.deepEqual([oom?.end.oom, oom?.workload, oom?.namespace], ["container", undefined, "shop"]);
  assert.equal((await read({ directory, ip: "::ffff:10.0.0.1" })).length, 2);
  assert.equal((await read({ directory, namespace: "shop", name: "pod-1", limit: 1 })).length, 1);
  assert.equal((await read({ directory, namespace: "another" })).length, 0);
  assert.equal((await read({ directory, since: new Date(Date.UTC(2100, 0)) })).length, 0);
  assert.deepEqual(journal.state, { written: 4, waiting: 0, dropped: 0, failures: 0, error: undefined });
});

test("writes private files, one series per namespace", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  kubelet.addPod(pod(7, { namespace: "bank" }) as never);
  kubelet.startPod(uid(7));
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().synced();
  for (const each of [0, 7]) kubelet.restartContainer(uid(each), "main", { exitCode: 1 });
  await written(journal, 2);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  const names = readdirSync(directory).sort();
  assert.deepEqual(
    names.map((name) => name.replace(/^\d{16}|[0-9a-f]{8}/g, "")).sort(),
    ["..bank.ends", "..shop.ends", ".taken"],
    names.join(" "),
  );
  for (const name of names) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
});

test("closing the client writes the last end, in 30 of 30 runs", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  for (let i = 0; i < 30; i++) {
    await using pods = clientOf(t, { socketPath: kubelet.socketPath });
    const journal = await openJournal(pods, { directory });
    const events = pods.watchContainers();
    const run = kubelet.restartContainer(uid(0), "main", { exitCode: i });
    for await (const event of events)
      if (event.type === "STARTED" && event.container.containerID === run.containerID) break;
    assert.equal(journal.state.error, undefined);
  }
  const codes = (await read({ directory })).map(({ end }) => end.exitCode).sort((a = 0, b = 0) => a - b);
  assert.deepEqual(
    codes,
    Array.from({ length: 30 }, (_, i) => i),
  );
});

test("a later process writes ends that the kubelet still shows, each only once", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  kubelet.addPod(pod(8, { restartPolicy: "Never" }) as never);
  kubelet.startPod(uid(8));
  kubelet.endContainer(uid(8), "main", { exitCode: 5 });
  kubelet.finishPod(uid(8), "Failed");
  kubelet.restartContainer(uid(0), "main", { exitCode: 4 });
  for (const count of [3, 0]) {
    await using pods = clientOf(t, { socketPath: kubelet.socketPath });
    const journal = await openJournal(pods, { directory });
    await pods.informer().synced();
    await written(journal, count);
    await pods.close();
    assert.equal(journal.state.written, count);
  }
  assert.deepEqual(words(await read({ directory })).sort(), [
    "pod-0/main exited 4",
    "pod-8/- exited 5",
    "pod-8/main exited 5",
  ]);
});

test("the next process iterates only the records that were not consumed before", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().synced();
  for (const exitCode of [1, 2, 3]) {
    kubelet.restartContainer(uid(0), "main", { exitCode });
    await written(journal, exitCode);
  }
  assert.deepEqual(words(await take(journal, 2)), ["pod-0/main exited 1", "pod-0/main exited 2"]); // the second is not taken
  await pods.close();
  const later = clientOf(t, { socketPath: kubelet.socketPath });
  const next = await openJournal(later, { directory });
  assert.deepEqual(words(await take(next, 2)), ["pod-0/main exited 2", "pod-0/main exited 3"]);
  await later.close();
  assert.deepEqual(words(await takeRest(next)), ["pod-0/main exited 3"]);
});

test("iterates thousands of records of two writers and two namespaces in their order", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  const clock = new VirtualClock();
  const writers = [0, 1].map(() => new JournalFiles(directory, 16_777_216, () => clock.wallMs()));
  for (let code = 0; code < 2_500; code += 50) {
    const ends = Array.from({ length: 50 }, (_, i) => endOf(code + i, { namespace: i < 25 ? "shop" : "bank" }));
    await clock.advance(1_000);
    await writers[(code / 50) % 2]?.append(
      ends.map((end) => ({ namespace: end.namespace, text: textOf(end) })),
      () => {},
    );
  }
  for (const { writer } of writers) await writers[0]?.saveCursor(writer, 0);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const codes = (await take(await openJournal(pods, { directory }), 2_500)).map(({ end }) => end.exitCode);
  assert.deepEqual(
    codes,
    Array.from({ length: 2_500 }, (_, i) => i),
  );
});

/** Makes a file of another writer that cannot be opened: a socket. Returns the function that removes it. */
async function unreadable(directory: string): Promise<() => void> {
  const path = join(directory, "0000000000000001.0badcafe.shop.ends");
  const server = createServer().listen(path);
  await once(server, "listening");
  return () => server.close();
}

test("rejects while a file cannot be read, and yields its records afterwards", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const earlier = clientOf(t, { socketPath: kubelet.socketPath });
  const first = await openJournal(earlier, { directory });
  await earlier.informer().synced();
  for (const exitCode of [1, 2, 3]) {
    kubelet.restartContainer(uid(0), "main", { exitCode });
    await written(first, exitCode);
  }
  await earlier.close();
  const remove = await unreadable(directory);
  await assert.rejects(read({ directory }), { code: "storage", message: /cannot be used: ENXIO/ });
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  await assert.rejects(openJournal(pods, { directory }), { code: "storage", message: /cannot be used: ENXIO/ });
  remove();
  const journal = await openJournal(pods, { directory });
  const codes = new Set((await take(journal, 3)).map(({ end }) => end.exitCode));
  assert.deepEqual([codes, journal.state.error], [new Set([1, 2, 3]), undefined]);
});

test("rejects at once where the directory cannot be made or written", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  writeFileSync(directory, "");
  const rows: [path: string, codes: string[]][] = [
    ["/sys", ["EACCES", "EPERM", "EROFS"]],
    ["/sys/kubelet-pods", ["EACCES", "EPERM", "EROFS"]],
    ["/proc/kubelet-pods", ["ENOENT", "EACCES"]],
    [join(directory, "ends"), ["ENOTDIR"]],
  ];
  if (process.getuid?.() !== 0) {
    mkdirSync(`${directory}.locked`, { mode: 0o500 });
    rows.push([`${directory}.locked`, ["EACCES"]], [join(`${directory}.locked`, "ends"), ["EACCES"]]);
    rows[0]?.[1].push("it belongs to another user");
  }
  for (const [path, codes] of rows) {
    const error: PodsError = await openJournal(pods, { directory: path }).then(
      () => assert.fail(path),
      (error) => error,
    );
    assert.equal(error.code, "storage", path);
    assert.ok(
      codes.some((code) => error.message.includes(code)),
      error.message,
    );
    assert.match(error.message, /; \S/, "it says what to do");
  }
});

/** A journal whose directory was replaced by a file, so that writes and reads fail, with an end that waits. */
async function broken(t: TestContext, hasLoop = true) {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  const informer = pods.informer();
  await informer.synced();
  const loop = (async () => {
    if (hasLoop) for await (const _ of journal);
  })();
  loop.catch(() => {}); // tests look at it
  renameSync(directory, `${directory}.away`);
  writeFileSync(directory, "");
  kubelet.restartContainer(uid(0), "main", { exitCode: 1 });
  while (journal.state.error === undefined) await new Promise((resolve) => setImmediate(resolve));
  return { kubelet, directory, pods, journal, informer, loop };
}

/** Returns the present value of a metric that is reported of an informer's client. */
function metricOf(informer: PodInformer, metric: string): number | undefined {
  const names = new Map<object, string>();
  const instrument = (name: string) => {
    const made = {};
    names.set(made, name);
    return made;
  };
  const observed = new Map<string | undefined, number>();
  let observe: (result: MetricResult) => void = () => {};
  registerMetrics(informer, {
    createHistogram: () => ({ record: () => {} }),
    createObservableGauge: instrument,
    createObservableCounter: instrument,
    createObservableUpDownCounter: instrument,
    addBatchObservableCallback: (callback: (result: MetricResult) => void) => {
      observe = callback;
    },
  });
  observe({ observe: (made, value) => observed.set(names.get(made), value) });
  return observed.get(`kubelet_pods.${metric}`);
}

test("lost ends are counted for the counters and the metrics of the client", async (t) => {
  const { kubelet, journal, informer, loop } = await broken(t);
  kubelet.restartContainer(uid(0), "main", { exitCode: 2 });
  while (journal.state.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
  await journal[Symbol.asyncDispose]();
  await assert.rejects(loop, { code: "storage", message: /2 ends were lost/ });
  assert.equal(informer.state.counters.journals.lostEnds, 2);
  assert.equal(metricOf(informer, "journal.lost_ends"), 2);
});

for (const hasLoop of [true, false])
  test(`counts failed ${hasLoop ? "reads" : "writes"} for the state, the counters and the metrics`, async (t) => {
    const { journal, informer } = await broken(t, hasLoop);
    const { failures } = journal.state;
    assert.ok(failures > 0);
    assert.deepEqual(informer.state.counters.journals, { failures, lostEnds: 0 });
    assert.deepEqual(
      ["journal.failures", "journal.lost_ends"].map((metric) => metricOf(informer, metric)),
      [failures, 0],
    );
  });

test("the loop throws how many ends were lost at the end, and close() resolves", async (t) => {
  const { kubelet, pods, journal, loop } = await broken(t);
  kubelet.restartContainer(uid(0), "main", { exitCode: 2 });
  while (journal.state.waiting < 2) await new Promise((resolve) => setImmediate(resolve));
  await pods.close();
  await assert.rejects(loop, { code: "storage", message: /2 ends were lost: storage: .*it is not a directory/ });
  assert.deepEqual([journal.state.waiting, journal.state.dropped], [0, 2]);
});

test("a signal, close() and disposal end the loop as those of other iterators", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const begin = async (signal?: AbortSignal) => {
    const pods = clientOf(t, { socketPath: kubelet.socketPath });
    const journal = await openJournal(pods, { directory, signal });
    await pods.informer().synced();
    const taken: (number | undefined)[] = [];
    const loop = (async () => {
      for await (const { end } of journal) taken.push(end.exitCode);
    })();
    loop.catch(() => {}); // it is looked at below
    return { pods, journal, loop, taken };
  };
  const controller = new AbortController();
  const aborted = await begin(controller.signal);
  kubelet.restartContainer(uid(0), "main", { exitCode: 5 });
  while (aborted.taken.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const reason = new Error("enough");
  controller.abort(reason);
  await assert.rejects(aborted.loop, reason);
  await assert.rejects(openJournal(aborted.pods, { directory, signal: controller.signal }), reason);
  const closed = await begin();
  await closed.pods.close();
  await assert.rejects(closed.loop, { code: "closed" });
  const disposed = await begin();
  await disposed.journal[Symbol.asyncDispose]();
  await disposed.loop;
  kubelet.restartContainer(uid(0), "main", { exitCode: 6 });
  await disposed.pods.getPod(uid(0));
  assert.equal(disposed.journal.state.written, 0, "a journal that has ended writes nothing");
});

test("a signal that aborts before or while a journal opens makes openJournal() reject, and no directory", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const reason = new Error("enough");
  await assert.rejects(openJournal(pods, { directory, signal: AbortSignal.abort(reason) }), reason);
  assert.equal(existsSync(directory), false);
  const controller = new AbortController();
  const opening = openJournal(pods, { directory, signal: controller.signal });
  controller.abort(reason);
  await assert.rejects(opening, reason);
});

test("close() waits for the last write, also if a signal has just ended the journal", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  for (let run = 0; run < 10; run++) {
    const controller = new AbortController();
    const pods = clientOf(t, { socketPath: kubelet.socketPath });
    const journal = await openJournal(pods, { directory, signal: controller.signal });
    await pods.informer().synced();
    kubelet.restartContainer(uid(0), "main", { exitCode: run });
    while (journal.state.waiting + journal.state.written < 1) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await pods.close();
    assert.deepEqual([journal.state.written, journal.state.waiting], [1, 0], `run ${run}`);
  }
});

test("two ends of a static pod without a time are two ends", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  const { end, ...pod } = endOf(1);
  const vague = { ...pod, container: undefined, end: { ...end, finishedAt: undefined } };
  await writeJournal(directory, [vague]);
  await writeJournal(directory, [vague]);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  assert.equal((await take(await openJournal(pods, { directory }), 2)).length, 2);
  assert.equal((await read({ directory })).length, 2);
});

/** Writes ends as another agent does at a time. */
async function recordAt(
  directory: string,
  wallMs: number,
  ends: readonly EndRecord[],
  { areProcessed = false, maxBytes = 1_048_576 } = {},
) {
  const files = new JournalFiles(directory, maxBytes, () => wallMs);
  await files.check();
  await files.saveCursor(files.writer, 0);
  await files.append(
    ends.map((end) => ({ namespace: end.namespace, text: textOf(end) })),
    (_, firstOrder) => {
      files.lastOrder = firstOrder + ends.length - 1;
    },
  );
  if (areProcessed) await files.saveCursor(files.writer, files.lastOrder);
}

/** Opens a journal, closes its client, and returns the exit codes that the loop yields. */
async function codesOf(t: TestContext, kubelet: ReferenceKubelet, options: JournalOptions) {
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, options);
  await pods.close();
  return (await takeRest(journal)).map(({ end }) => end.exitCode);
}

/** A record of the same end that knows only that it ended. */
const vagueOf = ({ end, ...rest }: EndRecord): EndRecord => ({
  ...rest,
  end: { ...end, reason: "unknown", exitCode: undefined, finishedAt: undefined, reported: undefined },
});

for (const isFirst of [true, false]) {
  const when = isFirst ? "before" : "after";
  test(`of two records of an end, the detailed one is yielded that was written ${when} the other`, async (t) => {
    const { kubelet, directory } = await node(t, 0);
    const records = [endOf(7), vagueOf(endOf(7))];
    for (const [i, record] of (isFirst ? records : records.reverse()).entries())
      await recordAt(directory, 1_000 * (i + 1), [record]);
    assert.deepEqual(await codesOf(t, kubelet, { directory }), [7]);
  });

  test(`an end is not yielded if a loop has processed a record of it that was written ${when} the other`, async (t) => {
    const { kubelet, directory } = await node(t, 0);
    for (const i of [1, 2]) await recordAt(directory, 1_000 * i, [endOf(7)], { areProcessed: isFirst === (i === 1) });
    assert.deepEqual(await codesOf(t, kubelet, { directory }), []);
  });
}

test("an end whose most detailed record is evicted at the start is yielded from the other record", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  const upTo = (count: number, from: number) => Array.from({ length: count }, (_, i) => endOf(from + i));
  await recordAt(directory, 1_000, [endOf(7), ...upTo(12, 100)]);
  await recordAt(directory, 2_000, [vagueOf(endOf(7)), ...upTo(65, 200)]);
  const codes = await codesOf(t, kubelet, { directory, maxBytes: 65_536 });
  assert.ok(!codes.includes(7) && codes.includes(200), "the first file is evicted, and the second is not");
  assert.equal(codes[0], undefined);
});

test("an end that this process observes is yielded, also if two agents recorded it without details", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  kubelet.addPod(pod(0) as never);
  const containerID = kubelet.startPod(uid(0))[0]?.containerID ?? "";
  const { container, ...rest } = endOf(1);
  assert.ok(container !== undefined);
  const vague = vagueOf({ ...rest, uid: uid(0), container: { ...container, containerID } });
  for (const wallMs of [1_000, 2_000]) await recordAt(directory, wallMs, [vague]);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().confirmAbsent([uid(9)], { timeoutMs: 600_000 }); // the kubelet has shown all of its pods
  kubelet.restartContainer(uid(0), "main", { exitCode: 3 });
  await written(journal, 1);
  await pods.close();
  assert.deepEqual(
    (await takeRest(journal)).map(({ end }) => end.exitCode),
    [undefined, 3],
  );
});

test("a loop that catches up reads each line once", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  for (const n of [1, 2, 3, 4, 5])
    await recordAt(
      directory,
      1_000 * n,
      Array.from({ length: 1_000 }, (_, i) => endOf(1_000 * n + i)),
      { maxBytes: 64 * 1_048_576 },
    );
  const { recordsIn } = JournalFiles.prototype;
  let lines = 0;
  JournalFiles.prototype.recordsIn = async function* (file, from) {
    for await (const line of recordsIn.call(this, file, from)) {
      if (this.directory === directory) lines++;
      yield line;
    }
  };
  t.after(() => {
    JournalFiles.prototype.recordsIn = recordsIn;
  });
  assert.equal((await codesOf(t, kubelet, { directory })).length, 5_000);
  assert.ok(lines <= 2 * 5_000, `${lines} lines: openJournal() reads each line once, and the loop`);
});

test("an end that two agents recorded is yielded once, with the most details", async (t) => {
  const { kubelet, directory } = await node(t, 0);
  const detailed = endOf(7);
  const { finishedAt: _, exitCode: __, ...rest } = detailed.end;
  const vague = {
    ...detailed,
    end: { ...rest, finishedAt: undefined, exitCode: undefined, reason: "unknown" as const },
  };
  const processed = endOf(8);
  await writeJournal(directory, [processed, vague]);
  const files = new JournalFiles(directory, 1_048_576, () => 0);
  for await (const { writer, order, record } of files.records())
    if (record.end.exitCode === 8) await files.saveCursor(writer, order);
  await writeJournal(directory, [processed, detailed, endOf(9)]);
  const codes = async (count: number) => {
    await using pods = clientOf(t, { socketPath: kubelet.socketPath });
    return (await take(await openJournal(pods, { directory }), count)).map(({ end }) => end.exitCode);
  };
  assert.deepEqual(await codes(2), [7, 9]);
});

test("the loop throws closed at close while the directory cannot be read, and the state has the error", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  renameSync(directory, `${directory}.away`);
  writeFileSync(directory, "");
  const next = journal[Symbol.asyncIterator]().next();
  next.catch(() => {}); // it is looked at below
  while (journal.state.error === undefined) await new Promise((resolve) => setImmediate(resolve));
  await pods.close();
  await assert.rejects(next, { code: "closed" });
  assert.deepEqual([journal.state.error.code, journal.state.failures > 0], ["storage", true]);
});

test("a loop leaves out the records that another process has processed meanwhile", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const [old, next] = [0, 1].map(() => clientOf(t, { socketPath: kubelet.socketPath })) as [PodsClient, PodsClient];
  const first = await openJournal(old, { directory });
  await old.informer().synced();
  for (const exitCode of [1, 2, 3]) {
    kubelet.restartContainer(uid(0), "main", { exitCode });
    await written(first, exitCode);
  }
  const second = await openJournal(next, { directory });
  await next.informer().synced();
  await old.close();
  assert.deepEqual(
    (await takeRest(first)).map(({ end }) => end.exitCode),
    [1, 2, 3],
  );
  kubelet.restartContainer(uid(0), "main", { exitCode: 4 });
  assert.deepEqual(words(await take(second, 1)), ["pod-0/main exited 4"]);
  await next.close();
});

test("a starting kubelet that shows its pods late leads to no second record of their ends", async (t) => {
  for (const profile of ["1.36", "1.37"] as const) {
    const kubelet = await kubeletOf(t, { profile, pods: [pod(0), pod(1)] as never });
    const directory = join(temporaryDirectory(t), "ends");
    for (const n of [0, 1]) {
      kubelet.startPod(uid(n));
      kubelet.restartContainer(uid(n), "main", { exitCode: n });
    }
    const agent = async (isStarted: () => Promise<unknown>) => {
      const pods = clientOf(t, { socketPath: kubelet.socketPath });
      const journal = await openJournal(pods, { directory });
      await isStarted();
      await pods.informer().synced();
      await pods.informer().confirmAbsent([uid(9)], { timeoutMs: 600_000 });
      await pods.close();
      return journal.state.written;
    };
    assert.equal(await agent(async () => {}), 2, profile);
    const restarted = kubelet.restart({ initializingMs: 1_500, firstStatusMs: 300 });
    assert.equal(await agent(() => restarted), 0, profile);
    assert.equal((await read({ directory })).length, 2, profile);
  }
});

test("starts that write no end leave one cursor behind", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  for (let i = 0; i < 5; i++) {
    await using pods = clientOf(t, { socketPath: kubelet.socketPath });
    await openJournal(pods, { directory });
  }
  assert.equal(readdirSync(directory).length, 1);
});

test("reports a cursor that cannot be stored until one is", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().synced();
  const records = journal[Symbol.asyncIterator]();
  const next = async (exitCode: number) => {
    const record = records.next();
    kubelet.restartContainer(uid(0), "main", { exitCode });
    assert.equal((await record).value?.end.exitCode, exitCode);
    return journal.state.error?.code;
  };
  assert.equal(await next(1), undefined);
  const [cursor = ""] = readdirSync(directory).filter((name) => name.endsWith(".taken"));
  rmSync(join(directory, cursor));
  mkdirSync(join(directory, cursor));
  assert.equal(await next(2), "storage");
  rmdirSync(join(directory, cursor));
  assert.equal(await next(3), undefined);
  assert.ok(statSync(join(directory, cursor)).isFile());
});

test("readers merge the records of one end that two processes wrote", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const clients = [0, 1].map(() => clientOf(t, { socketPath: kubelet.socketPath }));
  const journals = await Promise.all(clients.map((pods) => openJournal(pods, { directory })));
  await Promise.all(clients.map((pods) => pods.informer().synced()));
  kubelet.restartContainer(uid(0), "main", { exitCode: 9 });
  await Promise.all(journals.map((journal) => written(journal, 1)));
  assert.equal(readdirSync(directory).filter((name) => name.endsWith(".ends")).length, 2);
  assert.deepEqual(words(await read({ directory })), ["pod-0/main exited 9"]);
});

test("since applies to the most detailed record of an end", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const detailed = endOf(7);
  const { finishedAt: _, exitCode: __, ...rest } = detailed.end;
  const vague = {
    ...detailed,
    end: { ...rest, finishedAt: undefined, exitCode: undefined, reason: "unknown" as const },
    recordedAt: new Date(detailed.recordedAt.getTime() + 3_600_000),
  };
  await writeJournal(directory, [detailed, vague]);
  assert.deepEqual(words(await read({ directory })), ["web-1/main exited 7"]);
  assert.deepEqual(words(await read({ directory, since: new Date(detailed.recordedAt.getTime() + 1_000) })), []);
});

test("retries a failed read, and clears the error afterwards", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().synced();
  kubelet.restartContainer(uid(0), "main", { exitCode: 6 });
  await written(journal, 1);
  renameSync(directory, `${directory}.away`);
  writeFileSync(directory, "");
  const taken = take(journal, 1);
  while (journal.state.error === undefined) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(journal.state.error.code, "storage");
  rmSync(directory);
  renameSync(`${directory}.away`, directory);
  assert.deepEqual(words(await taken), ["pod-0/main exited 6"]);
  assert.equal(journal.state.error, undefined);
  await pods.close();
  assert.deepEqual(words(await takeRest(journal)), ["pod-0/main exited 6"]);
});

test("rejects a second loop and invalid arguments", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  const first = journal[Symbol.asyncIterator]().next();
  first.catch(() => {}); // it is looked at below
  await assert.rejects(async () => journal[Symbol.asyncIterator]().next(), /one loop at a time/);
  await assert.rejects(openJournal({} as never, { directory }), /must be a PodsClient/);
  await assert.rejects(openJournal(pods, { directory: "" }), /openJournal: directory/);
  await assert.rejects(openJournal(pods, { directory, maxBytes: 1 }), /maxBytes must be a whole number, from 65536/);
  await assert.rejects(read({ directory, since: "now" as never }), /since must be a Date/);
  await assert.rejects(read({ directory: 5 as never }), /directory must be a string/);
  for (const limit of [-1, 1.5, Number.NaN])
    await assert.rejects(read({ directory, limit }), /limit must be a whole number, at least 0/);
  await pods.close();
  await assert.rejects(first, { code: "closed" });
  await assert.rejects(openJournal(pods, { directory }), { code: "closed" });
});

test("rejects a directory without a journal, and reads no ends from an empty one", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  await assert.rejects(read({ directory }), { code: "not-found", message: /contains no journal/ });
  mkdirSync(directory);
  await assert.rejects(read({ directory }), { code: "not-found" });
  writeFileSync(join(directory, "another-file"), "");
  await assert.rejects(read({ directory: join(directory, "another-file") }), { code: "not-found" });
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  await openJournal(pods, { directory });
  assert.deepEqual(await read({ directory }), []);
});

test("rejects a symbolic link, a file, and a directory that others can write to", async (t) => {
  const { kubelet, directory } = await node(t, 1);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  mkdirSync(`${directory}-real`);
  symlinkSync(`${directory}-real`, directory);
  await assert.rejects(openJournal(pods, { directory }), { code: "storage", message: /it is a symbolic link/ });
  rmSync(directory);
  writeFileSync(directory, "");
  await assert.rejects(openJournal(pods, { directory }), { code: "storage", message: /it is not a directory/ });
  chmodSync(`${directory}-real`, 0o777);
  await assert.rejects(openJournal(pods, { directory: `${directory}-real` }), {
    message: /others? users? can write|other users can write/,
  });
});

test("a restarting pod with very long names displaces no end of another namespace", async (t) => {
  const { kubelet, directory } = await node(t, 20);
  const long = "n".repeat(90_000);
  kubelet.addPod({
    metadata: {
      uid: uid(99),
      namespace: "evil",
      name: "evil",
      labels: { [long]: long },
      ownerReferences: [{ apiVersion: long, kind: long, name: long, uid: long, controller: true }],
    },
    spec: { containers: [{ name: long, image: "app:1" }] },
  } as never);
  kubelet.startPod(uid(99));
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory, maxBytes: 131_072 });
  await pods.informer().synced({ timeoutMs: 0 });
  for (let i = 0; i < 20; i++) kubelet.restartContainer(uid(i), "main", { exitCode: 7 });
  await written(journal, 20);
  for (let i = 1; i <= 100; i++) {
    kubelet.restartContainer(uid(99), long, { exitCode: 1, message: long });
    await written(journal, 20 + i);
  }
  const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  assert.ok(bytes < 131_072 + 2 * 8_192, `${bytes} bytes`);
  assert.equal((await read({ directory, namespace: "shop" })).length, 20);
  const own = await read({ directory, namespace: "evil" });
  assert.ok(own.length > 5 && own.length < 100, `${own.length} of 100`);
  for (const { workload, container, end } of own)
    assert.deepEqual([workload?.name.length, container?.name.length, end.exitCode], [253, 253, 1]);
});

test("reads every intact record of a truncated or damaged file", async (t) => {
  const { kubelet, directory } = await node(t, 4);
  await using pods = clientOf(t, { socketPath: kubelet.socketPath });
  const journal = await openJournal(pods, { directory });
  await pods.informer().synced();
  for (let i = 0; i < 4; i++) {
    kubelet.restartContainer(uid(i), "main", { exitCode: i });
    await written(journal, i + 1);
  }
  await pods.close();
  const [name = "", ...others] = readdirSync(directory).filter((each) => each.endsWith(".ends"));
  assert.deepEqual(others, []);
  const path = join(directory, name);
  const bytes = readFileSync(path);
  const ends = [...bytes.keys()].filter((i) => bytes[i] === 10 && bytes[i - 1] === 125); // line breaks behind a brace
  assert.equal(ends.length, 4);
  const codes = async () => (await read({ directory })).map(({ end }) => end.exitCode).sort();
  for (let end = bytes.length; end >= (ends[2] as number) - 1; end--) {
    writeFileSync(path, bytes.subarray(0, end));
    const intact = ends.filter((each) => each <= end).length;
    assert.equal((await codes()).length, intact, `cut at ${end}`);
  }
  for (let i = (ends[0] as number) + 1; i <= (ends[1] as number); i++) {
    const damaged = Buffer.from(bytes);
    damaged[i] = (damaged[i] as number) ^ 0x55;
    writeFileSync(path, damaged);
    const left = await codes();
    assert.ok(left.length >= 3 && [0, 2, 3].every((code) => left.includes(code)), `damaged at ${i}: ${left}`);
  }
});
