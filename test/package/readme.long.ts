// README's programs, each run. It alone finds one that does not do what README says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map((match) => match[1] ?? "");
const blocks = [...blocksOf("js"), ...blocksOf("ts")];

/** Comments at the end of a line that prints say what it prints. */
const promised = (code: string) => [...code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map((match) => match[1]);

/** A kubelet with the sample's pods, one of which has a device, and where to find it. */
async function nodeOf() {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode(), podResources: true });
  const ledger = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1");
  const devices = [{ resourceName: "example.com/disk", deviceIDs: ["disk-1"], numaNodes: [0] }];
  kubelet.assignResources(ledger?.metadata?.uid ?? "", "ledger", { devices, cpuIds: [2, 3] });
  const { socketPath: KUBELET_PODS_SOCKET, podResourcesSocketPath: KUBELET_PODRESOURCES_SOCKET } = kubelet;
  return { kubelet, env: { ...process.env, KUBELET_PODS_SOCKET, KUBELET_PODRESOURCES_SOCKET } };
}

/** A TypeScript file that imports this package as one that is installed. */
function fileOf(t: TestContext, code: string): string {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, "node_modules"));
  symlinkSync(root, join(directory, "node_modules/kubelet-pods"));
  symlinkSync(join(root, "node_modules/@opentelemetry"), join(directory, "node_modules/@opentelemetry"));
  writeFileSync(join(directory, "block.mts"), code);
  return join(directory, "block.mts");
}

/** Runs a Node.js program to its end, or until it prints a text that says that it would go on for ever. */
async function run(t: TestContext, args: string[], env: NodeJS.ProcessEnv, last: string) {
  const child = spawn(process.execPath, args, { cwd: root, env });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (output.includes(last)) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, output, errors };
}

test("README has its code blocks", () => assert.equal(blocks.length, 14));

for (const [i, code] of blocks.entries()) {
  test(`code block ${i + 1} of README runs`, async (t) => {
    const { env, kubelet } = await nodeOf();
    t.after(() => kubelet.close());
    const args = i < blocksOf("js").length ? ["--input-type=module", "-e", code] : ["--import", "tsx", fileOf(t, code)];
    const { exitCode, output, errors } = await run(t, args, env, "that was everything there is");
    assert.equal(exitCode, 0, errors);
    assert.equal(errors, "");
    assert.notEqual(output, "");
    const expected = promised(code);
    if (expected.length > 0) assert.deepEqual(output.trim().split("\n"), expected);
  });
}

describe("what README has the reader type works", () => {
  const commands = blocksOf("sh")
    .flatMap((block) => block.split("\n"))
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line.startsWith("npx kubelet-pods "));
  for (const command of commands) {
    test(command, async (t) => {
      const { env, kubelet } = await nodeOf();
      t.after(() => kubelet.close());
      const [, , ...args] = command.split(/\s+/);
      const program = [join(root, "dist/cli/main.js"), ...args];
      const { exitCode, output, errors } = await run(t, program, env, "export KUBELET_PODS_SOCKET=");
      assert.deepEqual([exitCode, errors], [0, ""]);
      assert.notEqual(output, "");
    });
  }

  test("there are such commands", () => assert.ok(commands.length >= 8));
});
