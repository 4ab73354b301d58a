// What the page and `--help` say of exit codes, beside what the command exits with.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Code, ConnectError } from "@connectrpc/connect";
import { EXIT } from "../../src/cli/command.js";
import { onClient } from "../../src/cli/node.js";
import { run } from "../../src/cli/run.js";
import { CODES, type PodsErrorCode } from "../../src/errors/error-code.js";
import { EventType, Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsError } from "../../src/index.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { sampleNode } from "../../src/testing/index.js";
import { encodePod } from "../../src/testing/wire-pod.js";
import { environmentOf, kubeletOf, serve, temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { after, describe, type TestContext, test } from "../helpers/test.js";
import { endOf, writeJournal } from "../journal/ends.js";
import { consoleOf } from "./console.js";

/** The exit code of each error that ends a command; of all others it is 3. */
const OF_ERRORS: Readonly<Partial<Record<PodsErrorCode, number>>> = {
  "not-found": 1,
  corrupt: 1,
  "invalid-argument": 2,
  "invalid-path": 2,
};

for (const code of Object.keys(CODES) as PodsErrorCode[]) {
  const exits = OF_ERRORS[code] ?? 3;
  test(`a command that fails with ${code} exits with ${exits}`, async () => {
    const console = consoleOf();
    const client = { close: async () => {} };
    const fails = () => Promise.reject(new PodsError({ code, message: "x" }));
    assert.equal(await onClient("get", {}, console, () => client, fails), exits);
    assert.match(console.errors, new RegExp(`^kubelet-pods get: ${code}: x\\n`));
  });
}

/** A kubelet whose list has one pod twice. */
function twice(t: TestContext): Promise<string> {
  const pod = encodePod(fromKubernetesJson({ metadata: { uid: "a", name: "a", namespace: "n" } }));
  return serve(t, (router) =>
    router.service(Pods, {
      listPods: () => ({ pods: [pod, pod] }),
      getPod: () => Promise.reject(new ConnectError("pod not found", Code.NotFound)),
      watchPods: async function* (_, { signal }) {
        yield { type: EventType.INITIAL_SYNC_COMPLETE };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    }),
  );
}

/** A command line, where it is run, and with what it exits. */
type Exit = readonly [
  args: readonly string[],
  place: "kubelet" | "initializing" | "twice" | "nobody" | "none",
  code: number,
];

/** Commands that go on until they are asked to end. */
const LISTENING: ReadonlySet<string> = new Set(["serve"]);

async function exitOf(t: TestContext, [args, place]: Exit): Promise<number> {
  const environment = environmentOf(t);
  const console = consoleOf({ environment, ...(LISTENING.has(args[0] ?? "") && { signal: AbortSignal.abort() }) });
  if (place === "none") return run(args, console);
  let socket = place === "twice" ? await twice(t) : join(temporaryDirectory(t), "nobody.sock");
  if (place === "kubelet" || place === "initializing") {
    const options = { pods: sampleNode(), initializing: place === "initializing" };
    const kubelet = await kubeletOf(t, options);
    socket = kubelet.socketPath;
  }
  return run([...args, "--socket", socket], console);
}

/** A directory of these tests. */
const directory = mkdtempSync(join(tmpdir(), "kubelet-pods-"));
after(() => rmSync(directory, { recursive: true }));

const web = sampleNode().find(({ metadata }) => metadata?.name?.startsWith("web-"))?.metadata?.name ?? "";
const SOON = ["--timeout", "50ms"] as const;
const shown = (command: string): readonly Exit[] => [
  [[command, web], "kubelet", EXIT.ok],
  [[command, "nobody"], "kubelet", EXIT.failed],
  [[command, "--whatever"], "kubelet", EXIT.usage],
  [[command, web, ...SOON], "nobody", EXIT.unreachable],
];

/** Of each command, how each of its exit codes comes about. */
const EXITS: Readonly<Record<string, readonly Exit[]>> = {
  get: shown("get"),
  containers: shown("containers"),
  find: [
    [["find", web], "kubelet", EXIT.ok],
    [["find", "10.255.255.254"], "kubelet", EXIT.failed],
    [["find", "!"], "kubelet", EXIT.usage],
    [["find", web, ...SOON], "initializing", EXIT.unreachable],
  ],
  ended: [
    [["ended", "-d", join(directory, "ends")], "none", EXIT.ok],
    [["ended", "-d", join(directory, "ends"), "nobody"], "none", EXIT.failed],
    [["ended", "-d", directory], "none", EXIT.usage],
    [["ended", "-d", join(directory, "no-ends")], "none", EXIT.unreachable],
  ],
  wait: [
    [["wait", web, "--for", "condition=Ready"], "kubelet", EXIT.ok],
    [["wait", "nobody", "--for", "condition=Ready"], "kubelet", EXIT.failed],
    [["wait", web], "kubelet", EXIT.usage],
    [["wait", web, "--for", "condition=Ready", ...SOON], "nobody", EXIT.unreachable],
  ],
  probe: [
    [["probe"], "kubelet", EXIT.ok],
    [["probe", "x"], "kubelet", EXIT.usage],
    [["probe"], "initializing", EXIT.unreachable],
  ],
  conformance: [
    [["conformance", "--observe", "0.05"], "kubelet", EXIT.ok],
    [["conformance", "--observe", "0.05"], "twice", EXIT.failed],
    [["conformance", "x"], "kubelet", EXIT.usage],
    [["conformance"], "nobody", EXIT.unreachable],
  ],
  record: [
    [["record", join(directory, "said.jsonl"), "--for", "1"], "kubelet", EXIT.ok],
    [["record", join(directory, "nothing.jsonl"), "--socket", fileURLToPath(import.meta.url)], "none", EXIT.failed],
    [["record"], "kubelet", EXIT.usage],
  ],
  serve: [
    [["serve"], "none", EXIT.ok],
    [["serve", "--socket", "/proc/none/a.sock"], "none", EXIT.failed],
    [["serve", "--pods", "/nowhere.yaml"], "none", EXIT.usage],
  ],
};

describe("each command exits with the codes that its help lists", () => {
  for (const [command, exits] of Object.entries(EXITS)) {
    test(command, async (t) => {
      await writeJournal(join(directory, "ends"), [endOf(1)]);
      await writeJournal(join(directory, "no-ends"), []);
      const help = consoleOf();
      await run([command, "--help"], help);
      const [, said = ""] = /^Exit codes: ([\s\S]*)$/m.exec(help.output) ?? [];
      assert.deepEqual(
        (said.match(/(?<!\w)[0-9]+(?!\w)/g) ?? []).map(Number).sort(),
        exits.map(([, , code]) => code),
      );
      for (const exit of exits) assert.equal(await exitOf(t, exit), exit[2], exit[0].join(" "));
    });
  }

  test("the tests cover every command of --help", async () => {
    const help = consoleOf();
    await run(["--help"], help);
    const commands = [...help.output.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(commands.sort(), Object.keys(EXITS).sort());
  });
});

/** What each phrase of the page's table stands for. */
const MEANINGS: Readonly<Record<string, Exit>> = {
  success: [["get"], "kubelet", EXIT.ok],
  "no such pod": [["get", "nobody"], "kubelet", EXIT.failed],
  "nothing found": [["find", "10.255.255.254"], "kubelet", EXIT.failed],
  "`wait` timed out": [["wait", web, "--for", "condition=Never", "--timeout", "0"], "kubelet", EXIT.failed],
  "a check of `conformance` failed": [["conformance", "--observe", "0.05"], "twice", EXIT.failed],
  "`serve` cannot listen": [["serve", "--socket", "/proc/none/a.sock"], "none", EXIT.failed],
  "invalid arguments": [["get", "-o", "whatever"], "kubelet", EXIT.usage],
  "the kubelet cannot be reached or is not ready": [["get", ...SOON], "initializing", EXIT.unreachable],
};

test("the operating guide lists every exit code with its meaning", async (t) => {
  const page = readFileSync(join(root, "docs/guides/operating.md"), "utf8");
  const section = page.slice(page.indexOf("## The command"));
  const rows = [...section.matchAll(/^\| (\d) +\| (.+?) +\|$/gm)];
  const told = rows.flatMap(([, code, meaning = ""]) =>
    meaning
      .replace(/, after `--timeout`.*/, "")
      .split(", ")
      .map((phrase) => [phrase, Number(code)] as const),
  );
  const stands = Object.entries(MEANINGS).map(([phrase, [, , code]]) => [phrase, code]);
  assert.deepEqual(Object.fromEntries(told), Object.fromEntries(stands));
  assert.deepEqual(new Set(rows.map(([, code]) => Number(code))), new Set(Object.values(EXIT)));
  for (const exit of Object.values(MEANINGS)) assert.equal(await exitOf(t, exit), exit[2], exit[0].join(" "));
});
