// `kubelet-pods serve` and the frame of the command, as a shell sees them.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { run } from "../../src/cli/run.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { VERSION } from "../../src/version.js";
import { clientOf, temporaryDirectory } from "../helpers/kubelet.js";
import { consoleOf, main } from "./console.js";

/** The command as a process, once it serves. */
async function serving(
  t: TestContext,
  ...args: string[]
): Promise<{ child: ChildProcess; lines: string[]; socketPath: string }> {
  const child = spawn(process.execPath, [main, "serve", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    const socketPath = /^export KUBELET_PODS_SOCKET=(.*)$/.exec(line)?.[1];
    if (socketPath !== undefined) return { child, lines, socketPath };
  }
  throw new Error("it has ended");
}

async function refused(...args: string[]): Promise<{ code: number; errors: string }> {
  const console = consoleOf(AbortSignal.abort());
  return { code: await run(args, console), errors: console.errors };
}

describe("serve", { concurrency: true }, () => {
  test("a sample node in a directory of mode 0700, until SIGTERM, and nothing is left", async (t) => {
    const { child, lines, socketPath } = await serving(t);
    assert.deepEqual(lines, ["a kubelet (1.37) with 16 pods", `export KUBELET_PODS_SOCKET=${socketPath}`]);
    assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    assert.equal(existsSync(dirname(socketPath)), false);
  });

  test("after kill -9 what a kubelet leaves, and the next one takes the place", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
    const { child } = await serving(t, "--socket", socketPath);
    assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.deepEqual(readdirSync(dirname(socketPath)), ["pods-api.sock"]);
    const { child: next } = await serving(t, "--socket", socketPath);
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
    next.kill("SIGINT");
    await once(next, "exit");
    assert.deepEqual(readdirSync(dirname(socketPath)), []);
  });

  test("pods of a file, in another profile, that change", async (t) => {
    const file = join(temporaryDirectory(t), "pods.yaml");
    writeFileSync(file, "kind: Pod\nmetadata: {uid: a, name: a}\nstatus: {phase: Running}\n");
    const { lines, socketPath } = await serving(
      t,
      "--pods",
      file,
      "--profile",
      "1.36",
      "--churn",
      "200",
      "--seed",
      "3",
    );
    assert.equal(lines[0], "a kubelet (1.36) with 1 pod, 200 changes per second");
    const seen = new Set<string>();
    for await (const event of clientOf(t, { socketPath }).watchPods()) {
      seen.add(event.type);
      if (seen.has("MODIFIED")) break;
    }
    assert.deepEqual([...seen], ["ADDED", "SYNCED", "MODIFIED"]);
  });

  test("begins with sources that are not read, for so long", async (t) => {
    const { socketPath } = await serving(t, "--initializing", "0.5");
    await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), { code: "initializing" });
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
  });

  test("takes the place of a live socket with --force alone", async (t) => {
    const kubelet = await ReferenceKubelet.start();
    t.after(() => kubelet.close());
    const { code, errors } = await refused("serve", "--socket", kubelet.socketPath);
    assert.equal(code, 1);
    assert.match(
      errors,
      /^kubelet-pods serve: invalid-argument: cannot listen on .*: somebody does already; choose another path\n$/,
    );
    const { socketPath } = await serving(t, "--socket", kubelet.socketPath, "--force");
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
  });

  test("does not write below /var/lib/kubelet, by whatever way", async (t) => {
    const directory = temporaryDirectory(t);
    symlinkSync("/var/lib", join(directory, "link"));
    mkdirSync(join(directory, "real"));
    const up = "../".repeat(directory.split("/").length);
    const paths = [
      "/var/lib/kubelet/pods-api/pods-api.sock",
      "/var/lib/../lib/kubelet/s",
      `${directory}/real/${up}var/lib/kubelet/s`,
      `${directory}/link/kubelet/s`,
      `${directory}/link/../lib/kubelet/s`, // where the link leads, not where it lies
    ];
    for (const path of paths) {
      const { code, errors } = await refused("serve", "--socket", path);
      assert.equal(code, 2, path);
      assert.match(errors, /--force writes there/);
    }
    assert.equal(existsSync("/var/lib/kubelet/pods-api"), false);
  });

  test("says what it does not take", async (t) => {
    const secret = join(temporaryDirectory(t), "secret");
    writeFileSync(secret, "hidden: [content");
    const cases: [args: string[], code: number, says: RegExp][] = [
      [["--profile", "1.35"], 2, /--profile: not one of 1\.37, 1\.36, v1beta1, v1, documented/],
      [["--churn", "many"], 2, /--churn: not a number from 0 to 10000/],
      [["--churn", "-1"], 2, /^kubelet-pods serve: Option '--churn' argument is ambiguous\n/],
      [["--socket", "/tmp/\u001b[2Js"], 2, /--socket: a path with control characters/],
      [["--socket", "/etc/passwd/s"], 1, /cannot listen on \/etc\/passwd\/s: .*ENOTDIR/],
      [["--socket", "/proc/no/s"], 1, /cannot listen on \/proc\/no\/s: .*ENOENT/],
      [["--initializing", ""], 2, /--initializing: not a number/],
      [["--pods", "/no/such/file"], 2, /--pods: \/no\/such\/file cannot be read \(ENOENT\)/],
      [["--pods", secret], 2, /neither JSON nor YAML: see line/],
      [["--frobnicate"], 2, /Unknown option '--frobnicate'/],
      [["pods.json"], 2, /Unexpected argument 'pods\.json'/],
      [["--socket", `/${"a".repeat(200)}`], 1, /invalid-path/],
    ];
    for (const [args, code, says] of cases) {
      const answer = await refused("serve", ...args);
      assert.equal(answer.code, code, args.join(" "));
      assert.match(answer.errors, says);
      assert.doesNotMatch(answer.errors, /hidden/);
    }
  });
});

describe("the frame", { concurrency: true }, () => {
  test("--help, --version and what is no command", async () => {
    const help = consoleOf();
    assert.equal(await run(["--help"], help), 0);
    assert.match(help.output, /conformance {2}check what .*\n {2}serve {8}serve the Pods API/);
    const version = consoleOf();
    assert.equal(await run(["--version"], version), 0);
    assert.equal(version.output, `${VERSION}\n`);
    for (const args of [[], ["frobnicate\u001b[2J"], ["toString"]]) {
      const console = consoleOf();
      assert.equal(await run(args, console), 2);
      assert.equal(console.output, "");
      assert.ok(!console.errors.includes("\u001b"));
    }
    for (const name of ["serve", "conformance"]) {
      const console = consoleOf();
      assert.equal(await run([name, "--help"], console), 0);
      assert.match(console.output, new RegExp(`^Usage: kubelet-pods ${name} `));
      assert.ok(console.output.split("\n").every((line) => line.length <= 100));
    }
  });

  test("--help loads no gRPC stack", async () => {
    const look = "process.on('exit', () => console.error(process.moduleLoadList.includes('NativeModule http2')))";
    const args = ["--import", `data:text/javascript,${look}`, main];
    const { stderr } = await promisify(execFile)(process.execPath, [...args, "--help"]);
    assert.equal(stderr, "false\n");
    const asked = await promisify(execFile)(process.execPath, [...args, "get", "--help"]);
    assert.equal(asked.stderr, "true\n"); // so that is how it is seen
  });

  test("a reader that goes away is no failure", async () => {
    const program = `(sleep 0.2; exec "$0" "$1" --help; ) | true`;
    const { stderr } = await promisify(execFile)("sh", ["-c", program, process.execPath, main]);
    assert.equal(stderr, "");
  });
});
