// The command as a process: pipes, disks, signals.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { run } from "../../src/cli/run.js";
import { sampleNode } from "../../src/testing/index.js";
import { changed, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { consoleOf, kubeletOf, main } from "./console.js";

/** Without the notice of a command that waits, which a busy machine may show. */
const unhurried = (errors: string) => errors.replace(/^waiting for the kubelet: .*\n/m, "");

describe("kubelet-pods as a process", () => {
  test("exits with 0 if its output pipe is closed, also during a watch", async (t) => {
    const kubelet = await kubeletOf(t);
    const shell = async (command: string) => {
      const child = spawn("bash", ["-c", `set -o pipefail; ${command}`], { stdio: ["ignore", "pipe", "pipe"] });
      t.after(() => child.kill("SIGKILL"));
      let errors = "";
      child.stderr.on("data", (chunk) => {
        errors += chunk;
      });
      child.stdout.resume();
      const [code] = await once(child, "close");
      return { code, errors: unhurried(errors) };
    };
    const get = `"${process.execPath}" "${main}" get --socket "${kubelet.socketPath}"`;
    assert.deepEqual(await shell(`${get} -o json | head -1`), { code: 0, errors: "" });
    const timer = setInterval(() => {
      const pod = sampleNode()[0] ?? {};
      kubelet.updatePod(changed({ ...pod, status: { ...pod.status, phase: "Running" } }, String(performance.now())));
      kubelet.updatePod({ ...pod, status: { ...pod.status, reason: String(performance.now()) } });
    }, 20);
    try {
      assert.deepEqual(await shell(`${get} -w | head -1`), { code: 0, errors: "" });
    } finally {
      clearInterval(timer); // before the kubelet closes, which takes no change then
    }
  });

  test("exits with 1 and prints one line if the disk is full", {
    skip: existsSync("/dev/full") ? false : "no /dev/full",
  }, async (t) => {
    const kubelet = await kubeletOf(t);
    for (const form of ["", "-o json", "-w"]) {
      const command = `"${process.execPath}" "${main}" get ${form} --socket "${kubelet.socketPath}" > /dev/full`;
      const error = await promisify(execFile)("bash", ["-c", command]).catch((failed) => failed);
      assert.deepEqual(
        [error.code, unhurried(error.stderr)],
        [1, "kubelet-pods: cannot write to standard output (ENOSPC)\n"],
        form,
      );
    }
  });

  test("keeps running after a replay, even if the recording ends without a kubelet", async (t) => {
    const file = join(temporaryDirectory(t), "stopped.jsonl");
    writeFileSync(file, '{"atMs":0,"start":1}\n{"atMs":1,"stop":true}\n');
    const child = spawn(process.execPath, [main, "serve", "--replay", file], { stdio: ["ignore", "ignore", "pipe"] });
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const [line] = await once(createInterface({ input: child.stderr }), "line");
    assert.match(line, /^end of the recording/);
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
  });

  test("exits with 0 if SIGINT ends a watch", async (t) => {
    const kubelet = await kubeletOf(t);
    const args = [main, "get", "-w", "--no-headers", "--socket", kubelet.socketPath];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout });
    await once(lines, "line");
    child.kill("SIGINT");
    const [code, signal] = await once(child, "exit");
    assert.deepEqual([code, signal], [0, null]);
  });

  test("prints each command's help with its exit codes to standard output", async () => {
    const main = consoleOf();
    await run(["--help"], main);
    const names = [...main.output.matchAll(/^ {2}(\w+) {2,}/gm)].map((match) => match[1] ?? "");
    assert.ok(names.length > 7);
    for (const name of names) {
      const console = consoleOf();
      assert.equal(await run([name, "--help"], console), 0);
      assert.match(console.output, new RegExp(`^Usage: kubelet-pods ${name} `));
      assert.match(console.output, /Exit codes: 0/);
      assert.ok(
        console.output.split("\n").every((line) => line.length <= 80),
        "fits a terminal",
      );
    }
  });
});
