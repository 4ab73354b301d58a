// node --import tsx --test examples/log-shipper/agent.test.ts

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { ReferenceKubelet } from "kubelet-pods/testing";
import { type ShippedLine, shipLogs } from "./agent.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const pod = {
  metadata: { uid: A, namespace: "shop", name: "a", labels: { app: "web" } },
  spec: { containers: [{ name: "main", image: "app" }] },
};

/** A node with one pod that runs, and the agent on it as often as the test starts it. */
async function node(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), "logs-"));
  const [logRoot, stateFile] = [join(directory, "pods"), join(directory, "state.json")];
  const kubelet = await ReferenceKubelet.start({ pods: [pod], logRoot });
  kubelet.startPod(A);
  const shipped: ShippedLine[] = [];
  let wake = () => {};
  const emit = (lines: readonly ShippedLine[]) => {
    shipped.push(...lines);
    wake();
  };
  let [stop, running] = [new AbortController(), Promise.resolve()];
  const start = () => {
    stop = new AbortController();
    running = shipLogs({
      socketPath: kubelet.socketPath,
      logRoot,
      stateFile,
      signal: stop.signal,
      pollMs: 5,
      emit,
    });
  };
  const end = () => {
    stop.abort();
    return running;
  };
  t.after(async () => {
    await end();
    await kubelet.close();
    rmSync(directory, { recursive: true });
  });
  /** Returns what has been shipped, once these lines have been, each with the number of its life. */
  const until = async (last: string) => {
    while (!shipped.some(({ text }) => text === last)) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return shipped.map(({ text, restartCount }) => `${restartCount} ${text}`);
  };
  const log = (name: string) => join(logRoot, `shop_a_${A}`, "main", name);
  return { kubelet, start, end, until, shipped, log };
}

test("a life's log is shipped with its pod and labels, and each restart's beside it", async (t) => {
  const { kubelet, start, until, shipped } = await node(t);
  kubelet.writeLog(A, "main", "one\ntwo\n");
  start();
  await until("two");
  const { namespace, pod, uid, container, labels, stream } = shipped[0] ?? assert.fail();
  assert.deepEqual(
    [namespace, pod, uid, container, labels, stream],
    ["shop", "a", A, "main", { app: "web" }, "stdout"],
  );
  kubelet.writeLog(A, "main", "last words\n");
  kubelet.restartContainer(A, "main", { exitCode: 1 });
  kubelet.writeLog(A, "main", "again\n");
  await until("last words");
  assert.deepEqual((await until("again")).sort(), ["0 last words", "0 one", "0 two", "1 again"]);
});

test("its own restart loses no line, and ships none twice", async (t) => {
  const { kubelet, start, end, until } = await node(t);
  kubelet.writeLog(A, "main", "one\n");
  start();
  await until("one");
  await end();
  kubelet.writeLog(A, "main", "two\n");
  kubelet.restartContainer(A, "main");
  kubelet.writeLog(A, "main", "three\n");
  start();
  await until("two");
  assert.deepEqual((await until("three")).sort(), ["0 one", "0 two", "1 three"]);
});

test("lives that began and ended while the kubelet was away are shipped", async (t) => {
  const { kubelet, start, until } = await node(t);
  kubelet.writeLog(A, "main", "one\n");
  start();
  await until("one");
  const restarted = kubelet.restart({ downtimeMs: 50 });
  for (const text of ["two", "three", "four"]) {
    kubelet.restartContainer(A, "main", { exitCode: 1 });
    kubelet.writeLog(A, "main", `${text}\n`);
  }
  await restarted;
  for (const text of ["two", "three"]) await until(text);
  assert.deepEqual((await until("four")).sort(), ["0 one", "1 two", "2 three", "3 four"]);
});

test("a file that is rotated is read to its end, also where that happened meanwhile", async (t) => {
  const { kubelet, start, end, until, log } = await node(t);
  kubelet.writeLog(A, "main", "one\n");
  start();
  await until("one");
  await end();
  kubelet.writeLog(A, "main", "two\n");
  renameSync(log("0.log"), log("0.log.20261122-100000"));
  kubelet.writeLog(A, "main", "three\n");
  start();
  await until("three");
  kubelet.writeLog(A, "main", "four\n");
  await until("four");
  renameSync(log("0.log"), log("0.log.20261122-110000"));
  kubelet.writeLog(A, "main", "five\n");
  assert.deepEqual(await until("five"), ["0 one", "0 two", "0 three", "0 four", "0 five"]);
});

test("a line that the runtime has split is whole", async (t) => {
  const { kubelet, start, until } = await node(t);
  kubelet.writeLog(A, "main", "begin, ");
  start();
  kubelet.writeLog(A, "main", "middle, ");
  kubelet.writeLog(A, "main", "end\n");
  assert.deepEqual(await until("begin, middle, end"), ["0 begin, middle, end"]);
});

test("a pod that has gone is drained", async (t) => {
  const { kubelet, start, until } = await node(t);
  kubelet.writeLog(A, "main", "one\n");
  start();
  await until("one");
  kubelet.writeLog(A, "main", "two\n");
  kubelet.finishPod(A);
  kubelet.removePod(A);
  assert.deepEqual(await until("two"), ["0 one", "0 two"]);
});

test("what is written while a file is rotated, and while much is shipped, is not lost", async (t) => {
  const { kubelet, start, end, until, log } = await node(t);
  kubelet.writeLog(A, "main", "one\n");
  start();
  await until("one");
  // The kubelet renames the file; the runtime writes to it until it is told to open another one.
  renameSync(log("0.log"), log("0.log.20261122-100000"));
  appendFileSync(log("0.log.20261122-100000"), "2026-11-22T10:00:00Z stdout F two\n");
  await until("two");
  kubelet.writeLog(A, "main", "three\n");
  await until("three");
  await end();
  for (const hour of [11, 12]) {
    kubelet.writeLog(A, "main", `in ${hour}\n`);
    renameSync(log("0.log"), log(`0.log.20261122-${hour}0000`));
  }
  kubelet.writeLog(A, "main", "last\n");
  start();
  assert.deepEqual(await until("last"), ["0 one", "0 two", "0 three", "0 in 11", "0 in 12", "0 last"]);
});

test("a line of megabytes is cut, streams are not mixed, and last words need no end", async (t) => {
  const { kubelet, start, until, log } = await node(t);
  kubelet.writeLog(A, "main", "first\n");
  const time = "2026-11-22T10:00:00Z";
  const long = `${time} stdout P ${"x".repeat(16_384)}\n`.repeat(20);
  appendFileSync(log("0.log"), `${time} stdout P out\n${time} stderr F err\n${time} stdout F side\n${long}`);
  appendFileSync(log("0.log"), `${time} stdout F \n${time} stderr P panic: why it died\n`);
  kubelet.endContainer(A, "main", { exitCode: 1 });
  start();
  const told = await until("panic: why it died");
  assert.deepEqual(told.slice(0, 3), ["0 first", "0 err", "0 outside"]);
  assert.equal(told[3]?.length, 2 + 20 * 16_384);
});

test("what is no plain file is passed over, and the others are shipped [X2]", async (t) => {
  const { kubelet, start, until, log, shipped } = await node(t);
  const others = ["1.log", "2.log", "3.log"].map(log);
  kubelet.writeLog(A, "main", "one\n");
  const secret = `${log("0.log")}.secret`;
  writeFileSync(secret, "2026-11-22T10:00:00Z stdout F of another\n");
  execFileSync("mkfifo", [others[0] as string]);
  mkdirSync(others[1] as string);
  symlinkSync(secret, others[2] as string);
  const errors = t.mock.method(console, "error", () => {});
  start();
  await until("one");
  while (errors.mock.callCount() < others.length) await new Promise((resolve) => setImmediate(resolve));
  kubelet.writeLog(A, "main", "two\n");
  await until("two");
  assert.equal(
    shipped.some(({ text }) => text === "of another"),
    false,
  );
  assert.deepEqual(
    [
      ...new Set(errors.mock.calls.map(({ arguments: [text] }) => String(text).replace(/^.*main.(\d).*$/, "$1"))),
    ].sort(),
    ["1", "2", "3"],
  );
});

test("characters of several bytes are whole where the runtime has split them [X3]", async (t) => {
  const { kubelet, start, until, log } = await node(t);
  kubelet.writeLog(A, "main", "first\n");
  const text = Buffer.from("größer 日本語 🙂 ende");
  const time = "2026-11-22T10:00:00Z";
  for (const [i, byte] of text.entries()) {
    const tag = i === text.length - 1 ? "F" : "P";
    appendFileSync(
      log("0.log"),
      Buffer.concat([Buffer.from(`${time} stdout ${tag} `), Buffer.of(byte), Buffer.from("\n")]),
    );
  }
  start();
  assert.deepEqual(await until(String(text)), ["0 first", `0 ${text}`]);
});

test("a file that was rotated and compressed while the agent was away is shipped from its last line on [X3]", async (t) => {
  const { start, end, until, log, kubelet } = await node(t);
  const line = (second: number) => `2026-11-22T10:00:0${second}.123456789Z stdout F line ${second}\n`;
  kubelet.writeLog(A, "main", "");
  writeFileSync(log("0.log"), line(1) + line(2));
  start();
  await until("line 2");
  await end();
  appendFileSync(log("0.log"), line(3) + line(4));
  writeFileSync(log("0.log.20261122-100005.gz"), gzipSync(readFileSync(log("0.log"))));
  unlinkSync(log("0.log"));
  writeFileSync(log("0.log.20261122-100007"), line(5) + line(6));
  writeFileSync(log("0.log"), line(7));
  start();
  assert.deepEqual(
    await until("line 7"),
    [1, 2, 3, 4, 5, 6, 7].map((second) => `0 line ${second}`),
  );
});
