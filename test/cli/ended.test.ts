// `kubelet-pods ended`, as a shell sees it: without a kubelet and without an agent.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../src/cli/run.js";
import { PodsClient } from "../../src/index.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";
import { consoleOf, kubeletOf } from "./console.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const POD = {
  metadata: { uid: A, namespace: "shop", name: "web-0" },
  spec: { containers: [{ name: "web", image: "i" }] },
};

async function journalOf(t: TestContext): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "ended-"));
  t.after(() => rmSync(root, { recursive: true }));
  const directory = join(root, "ends");
  const kubelet = await kubeletOf(t, [POD]);
  kubelet.startPod(A);
  const client = new PodsClient({ socketPath: kubelet.socketPath, standalone: true });
  const informer = client.informer({ journal: { directory } });
  await informer.synced();
  kubelet.restartContainer(A, "web", { exitCode: 137, reason: "OOMKilled", message: "\u001b[31mred" });
  kubelet.evictPod(A, { message: "The node was low on resource: memory. " });
  kubelet.finishPod(A);
  await until(t, () => informer.size === 0);
  await informer.close();
  await client.close();
  return directory;
}

async function ran(words: readonly string[]) {
  const console = consoleOf();
  const code = await run(["ended", ...words], console);
  return { code, lines: console.output.trimEnd().split("\n"), errors: console.errors };
}

const cells = (line: string | undefined) => line?.trimEnd().split(/ {3,}/).slice(1);

test("a table, the newest first; with a pod's name its own, and JSON a line for each", async (t) => {
  const directory = await journalOf(t);
  const at = ["--directory", directory];
  const { code, lines, errors } = await ran(at);
  assert.deepEqual([code, errors], [0, ""]);
  assert.deepEqual(lines.map(cells), [
    ["NAMESPACE", "POD", "CONTAINER", "LIFE", "REASON", "CODE", "WORKLOAD"],
    ["shop", "web-0", "(pod)", "Evicted (memory)", "137", "<none>"],
    ["shop", "web-0", "web", "1", "Evicted (memory)", "137", "<none>"],
    ["shop", "web-0", "web", "0", "OOMKilled", "137", "<none>"],
  ]);
  const json = await ran([...at, "shop/web-0", "-n", "shop", "-o", "json"]);
  assert.deepEqual(
    json.lines.map((line) => JSON.parse(line).end.reason),
    ["Evicted", "Evicted", "OOMKilled"],
  );
  assert.equal(json.lines.join("").includes("\u001b"), false, "no control character reaches the terminal");
  assert.equal(JSON.parse(json.lines[2] ?? "").end.reported.message, "\u001b[31mred");
});

test("what is not there is said, and is no success", async (t) => {
  const directory = await journalOf(t);
  for (const [words, errors] of [
    [["web-9"], `kubelet-pods ended: no such end of web-9 in ${directory}\n`],
    [["-n", "else"], `kubelet-pods ended: no such end of any pod in ${directory}\n`],
  ] as const) {
    const { code, errors: said } = await ran([...words, "--directory", directory]);
    assert.deepEqual([code, said], [1, errors]);
  }
  const none = await ran(["--directory", "/nonexistent/ends"]);
  assert.deepEqual([none.code, none.errors], [1, "kubelet-pods ended: no such end of any pod in /nonexistent/ends\n"]);
  const file = await ran(["--directory", "/dev/null"]);
  assert.equal(file.code, 1);
  assert.match(file.errors, /is a link, or no directory/);
  assert.equal((await ran(["--since", "yesterday"])).code, 2);
});

test("-f gives the oldest first, and goes on until it is asked to end", async (t) => {
  const directory = await journalOf(t);
  const stop = new AbortController();
  const console = consoleOf({ signal: stop.signal });
  const following = run(["ended", "-f", "--no-headers", "--directory", directory], console);
  await until(t, () => console.output.split("\n").length > 3);
  stop.abort();
  assert.equal(await following, 0);
  assert.match(console.output, /OOMKilled[\s\S]*Evicted[\s\S]*\(pod\)/);
});
