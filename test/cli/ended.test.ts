// `kubelet-pods ended`, as a shell sees it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { run } from "../../src/cli/run.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { endOf, writeJournal } from "../journal/ends.js";
import { consoleOf } from "./console.js";

async function ended(...args: string[]) {
  const console = consoleOf();
  const code = await run(["ended", ...args], console);
  const rows = console.output.split("\n").map((line) => line.trimEnd().split(/ {3,}/));
  return { code, rows: rows.slice(0, -1), ...console };
}

/** A journal with four ends. */
async function journal(t: TestContext): Promise<string> {
  const directory = join(temporaryDirectory(t), "ends");
  const killed = endOf(3);
  const ends = [
    endOf(1),
    { ...endOf(2), container: undefined },
    { ...killed, end: { ...killed.end, oom: "process" } as const },
    endOf(4, { namespace: "bank" }),
  ];
  await writeJournal(directory, ends);
  return directory;
}

test("prints the latest end first, with its reason, exit code and OOM scope", async (t) => {
  const directory = await journal(t);
  const { code, rows } = await ended("-d", directory);
  assert.equal(code, 0);
  assert.deepEqual(rows, [
    ["ENDED", "NAMESPACE", "POD", "CONTAINER", "RUN", "REASON", "EXIT", "OOM"],
    ["2026-01-01T00:00:04Z", "bank", "web-1", "main", "4", "exited", "4", "<none>"],
    ["2026-01-01T00:00:03Z", "shop", "web-1", "main", "3", "exited", "3", "process"],
    ["2026-01-01T00:00:02Z", "shop", "web-1", "(pod)", "<none>", "exited", "2", "<none>"],
    ["2026-01-01T00:00:01Z", "shop", "web-1", "main", "1", "exited", "1", "<none>"],
  ]);
});

test("filters by name, namespace, UID, IP address, container ID and time, and prints JSON", async (t) => {
  const directory = await journal(t);
  const count = async (...args: string[]) => (await ended("-d", directory, "--no-headers", ...args)).rows.length;
  assert.equal(await count("web-1"), 4);
  assert.equal(await count("shop/web-1"), 3);
  assert.equal(await count("-n", "bank"), 1);
  assert.equal(await count("9f0a6c1e-0f63-4dcb-93a4-6f3ad4cbd0f6"), 4);
  assert.equal(await count("::ffff:10.0.0.1"), 4);
  assert.equal(await count(`containerd://${"3".padStart(64, "0")}`), 1);
  assert.equal(await count("--since", "2026-01-01T00:00:03Z"), 2);
  assert.equal(await count("--limit", "1"), 1);
  const { output } = await ended("-d", directory, "bank/web-1", "-o", "json");
  const [record] = JSON.parse(output) as [{ namespace: string; end: { exitCode: number } }];
  assert.deepEqual([record.namespace, record.end.exitCode], ["bank", 4]);
});

test("reports a missing journal, a missing end and an empty journal with different exit codes", async (t) => {
  const directory = await journal(t);
  const said = async (...args: string[]) => {
    const { code, errors } = await ended(...args);
    return [code, errors.trimEnd().replaceAll(/\/[^ ]*(ends|nothing|empty)/g, "DIR")];
  };
  assert.deepEqual(await said("-d", directory, "shop/none"), [
    1,
    "kubelet-pods ended: the journal in DIR has no such end",
  ]);
  const [code, text] = await said("-d", `${directory}/nothing`);
  assert.deepEqual([code, /DIR contains no journal; pass the directory of openJournal/.test(String(text))], [2, true]);
  const empty = join(temporaryDirectory(t), "empty");
  await writeJournal(empty, []);
  assert.deepEqual(await said("-d", empty, "shop/none"), [
    3,
    "kubelet-pods ended: the journal in DIR: nothing is recorded yet",
  ]);
  assert.match(String((await said("web-1"))[1]), /give --directory DIR/);
  assert.match(String((await said("-d", directory, "a", "b"))[1]), /give at most one key/);
  assert.match(String((await said("-d", directory, "--since", "soon"))[1]), /--since must be a time/);
});
