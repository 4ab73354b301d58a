// Random lives of a node under all readers of the public face at once. $LIVES and $LIFE say how many, and from which on.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { PodsClient, podMask } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { parseRecording, Replay } from "../../src/testing/index.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { FACTS, table } from "./facts.js";
import { ACTIONS, live, stepsOf } from "./life.js";
import { written } from "./record.js";
import { RARE, REDS } from "./reds.js";

const LIVES = Number(process.env["LIVES"] ?? 300);
const FIRST = Number(process.env["LIFE"] ?? 1);
/** A life takes a tenth of a second on a quiet core, and ten times as long on a busy one. */
const TIMEOUT_MS = 60_000 + LIVES * 3_000;

/** What lives have shown. */
interface Shown {
  readonly found: readonly string[];
  readonly happened: Readonly<Record<string, number>>;
  readonly medianFaults: number;
}

/** Lives through lives in a process of their own, which no test runner looks into. Fails where they do. */
async function lived(first: number, lives: number, more = {}): Promise<{ shown: Shown; lines: string[] }> {
  const env = { ...process.env, ...more, LIFE: String(first), LIVES: String(lives) };
  const args = ["--enable-source-maps", join(root, "build/test/adversary/hunt.js")];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(({ stderr }) =>
    assert.fail(stderr),
  );
  const lines = stdout.trimEnd().split("\n");
  return { shown: JSON.parse(lines.pop() ?? ""), lines };
}

test("readers of simulated nodes break no rule, except as reds.ts lists [#51 #53 #54 #55 #56 #57 #58 #61 #62 #63 #81 #82 #85 #86 #89 #91]", {
  timeout: TIMEOUT_MS,
}, async (t) => {
  const { shown, lines } = await lived(FIRST, LIVES);
  for (const line of lines) t.diagnostic(line);
  assert.ok(shown.medianFaults >= 3);
  if (LIVES < 300) return;
  const gone: string[] = [];
  for (const rule of Object.keys(REDS)) {
    const life = RARE[rule];
    const isFound =
      shown.found.includes(rule) || (life !== undefined && (await lived(life, 1)).shown.found.includes(rule));
    if (!isFound) gone.push(rule);
  }
  assert.deepEqual(gone, [], "red no more, and still in reds.ts");
  const rare = Object.keys(FACTS).filter((fact) => (shown.happened[fact] ?? 0) < LIVES / 15);
  assert.deepEqual(rare, [], "facts that are hardly ever so");
});

test("the judge imports nothing from the library", () => {
  for (const file of ["calm.ts", "details.ts", "evidence.ts", "judge.ts", "truth.ts"]) {
    const text = readFileSync(join(root, "test/adversary", file), "utf8");
    const imported = [...text.matchAll(/(import[^;]*?from) "([^"]+)"/g)].map(([, how = "", from = ""]) => [
      how.startsWith("import type"),
      from,
    ]);
    for (const [isType, from] of imported) {
      const isJudges = ["./evidence.js", "./teller.js", "./truth.js"].includes(String(from));
      const isPart = from === "./calm.js" || from === "./details.js";
      assert.ok(isPart || (isJudges && isType), `${file} imports ${from}`);
    }
  }
});

test("each fact of docs/kubelet.md has an action, and the page equals facts.ts", () => {
  const named = Object.values(ACTIONS).flatMap((action) => ("fact" in action ? [action.fact] : []));
  assert.deepEqual([...new Set(named)].sort(), Object.keys(FACTS).sort());
  const page = join(root, "docs/kubelet.md");
  const text = readFileSync(page, "utf8");
  const made = text.replace(/(<!-- facts -->)[\s\S]*?(<!-- \/facts -->)/, `$1\n\n${table()}\n\n$2`);
  if (process.env["UPDATE_FACTS"] === "1") writeFileSync(page, made);
  assert.equal(text, process.env["UPDATE_FACTS"] === "1" ? text : made, "UPDATE_FACTS=1 writes them");
});

test("a recorded simulation is parsed unchanged, and its replay starts all containers", async (t) => {
  // What comes between a watch's registration and its list is nobody's to time on a socket, and there is no HTTP server here.
  const steps = stepsOf(3).filter(({ action }) => action !== "listLate" && action !== "switchApi");
  const { lines } = await live(steps, 3);
  assert.deepEqual(parseRecording(written(lines)), lines);
  const last = new Map<string, Uint8Array>();
  const untilMs = (lines.at(-1)?.atMs ?? 0) - 5_000; // what is said at its very end may be read when it is over
  for (const line of lines) {
    if (!("list" in line)) continue;
    if (line.pod === undefined || line.atMs > untilMs) last.delete(line.list);
    else last.set(line.list, line.pod);
  }
  const running = [...last.values()].flatMap((bytes) =>
    (decodePod(bytes).status?.containerStatuses ?? []).flatMap(({ state, containerID }) =>
      state?.running === undefined ? [] : containerID.replace("containerd://", ""),
    ),
  );
  assert.ok(running.length > 1);

  const clock = new AutoAdvanceClock();
  const socketPath = join(temporaryDirectory(t), "replay.sock");
  const replay = await Replay.start(parseRecording(written(lines)), { socketPath }, clock);
  const client = new PodsClient({ socketPath }, clock.environment);
  t.after(async () => {
    await client.close();
    await replay.close();
  });
  const started: string[] = [];
  const hear = async () => {
    for await (const event of client.watchContainers({ mask: podMask("metadata.uid") }))
      if (event.type === "STARTED") started.push(event.container.containerID);
  };
  await Promise.race([hear(), replay.finished]);
  assert.deepEqual(
    running.filter((id) => !started.includes(id)),
    [],
    "whatever runs in the end was told",
  );
  assert.ok(existsSync(socketPath));
});
