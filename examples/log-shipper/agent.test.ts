// node --import tsx --test examples/log-shipper/agent.test.ts

import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
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
