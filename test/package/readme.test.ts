import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");

/** Comments at the end of a line that prints say what it prints. */
const promised = (code: string) => [...code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map((match) => match[1]);

test("README has its code blocks", () => assert.equal(blocks.length, 5));

for (const [i, code] of blocks.entries()) {
  test(`code block ${i + 1} of README runs as plain JavaScript`, async (t) => {
    const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
    t.after(() => kubelet.close());
    const env = { ...process.env, KUBELET_PODS_SOCKET: kubelet.socketPath };
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env });
    t.after(() => child.kill("SIGKILL"));
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("that was everything there is")) child.kill("SIGTERM");
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const [exitCode] = (await once(child, "close")) as [number | null];
    assert.equal(exitCode, 0, errors);
    assert.equal(errors, "");
    assert.notEqual(output, "");
    const expected = promised(code);
    if (expected.length > 0) assert.deepEqual(output.trim().split("\n"), expected);
  });
}
