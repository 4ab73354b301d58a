// The completion that bash runs, in bash.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { run } from "../../src/cli/run.js";
import { sampleNode } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { consoleOf, kubeletOf, main } from "./console.js";

async function bash(t: TestContext) {
  const kubelet = await kubeletOf(t);
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, "bin"));
  symlinkSync(main, join(directory, "bin/kubelet-pods"));
  const console = consoleOf();
  assert.equal(await run(["completion", "bash"], console), 0);
  writeFileSync(join(directory, "completion"), console.output);
  const PATH = `${join(directory, "bin")}:${process.env["PATH"]}`;
  const env = { ...process.env, PATH, KUBELET_PODS_SOCKET: kubelet.socketPath };
  /** Returns what the last of these words is completed to. */
  return async (...words: string[]): Promise<string[]> => {
    const quoted = ["kubelet-pods", ...words].map((word) => `'${word}'`).join(" ");
    const script = `source ${directory}/completion; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}
      _kubelet_pods; printf '%s\\n' "\${COMPREPLY[@]}"`;
    // On a socket, and without SHLVL, bash takes itself for a remote shell and reads ~/.bashrc.
    const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-uo", "pipefail", "-c", script], { env });
    assert.equal(stderr, "");
    return stdout.trim().split("\n");
  };
}

test("commands, options, values, pods and namespaces", async (t) => {
  const complete = await bash(t);
  assert.deepEqual(await complete("con"), ["conditions", "containers", "conformance"]);
  assert.deepEqual(await complete("get", "--sho"), ["--show-managed-fields", "--show-labels"]);
  assert.deepEqual(await complete("get", "-o", "j"), ["json", "jsonpath="]);
  assert.deepEqual(
    await complete("get", "-n", ""),
    [...new Set(sampleNode().map(({ metadata }) => metadata?.namespace))].sort(),
  );
  assert.deepEqual(await complete("describe", "led"), ["ledger-1"]);
  assert.deepEqual(await complete("get", "ledger-1", "pay"), ["payments-58dd4c7b9-k3vbp"]);
  assert.deepEqual(await complete("serve", "--profile", "1"), ["1.37", "1.36"]);
  assert.deepEqual(await complete("get", "-n", "shop", "p"), ["payments-58dd4c7b9-k3vbp"]);
  assert.deepEqual(await complete("get", "-n", "batch", "p"), [""]);
  assert.deepEqual(await complete("get", "pods/led"), ["pods/ledger-1"]);
  assert.deepEqual(await complete("get", "shop/led"), ["shop/ledger-1"]);
  assert.deepEqual(await complete("get", "-l", ""), [""], "what a person has to think of");
  assert.deepEqual(await complete("completion", ""), ["bash"]);
});

test("words that bash cuts at =", async (t) => {
  const complete = await bash(t);
  assert.deepEqual(await complete("wait", "--for", "=", "con"), ["condition="]);
  assert.deepEqual(await complete("wait", "--for", "="), ["condition=", "delete"]);
  assert.deepEqual(await complete("wait", "--for", "condition", "=", "R"), ["Ready"]);
  assert.deepEqual(await complete("get", "--output", "=", "js"), ["json", "jsonpath="]);
  assert.deepEqual(await complete("get", "--namespace", "=", "sh"), ["shop"]);
});

test("another shell is refused", async () => {
  const console = consoleOf();
  assert.equal(await run(["completion", "fish"], console), 2);
  assert.match(console.errors, /one shell is expected: bash/);
});
