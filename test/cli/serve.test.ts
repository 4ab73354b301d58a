// `kubelet-pods serve` and the frame of the command, as a shell sees them.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { run } from "../../src/cli/run.js";
import type { PodJson } from "../../src/index.js";
import { PodResourcesClient } from "../../src/podresources/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { PROFILES } from "../../src/testing/profile.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { VERSION } from "../../src/version.js";
import { clientOf, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { consoleOf, main, passing, running } from "./console.js";

/** What a command that serves has printed. */
interface Served {
  lines: string[];
  socketPath: string;
  environment: Record<string, string>;
}

/** Reads what it prints until it serves. */
function servedBy(lines: string[]): Served | undefined {
  const environment: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ""] = /^export (\w+)='?(.*?)'?$/.exec(line) ?? [];
    if (name !== undefined) environment[name] = value;
  }
  const socketPath = environment["KUBELET_PODS_SOCKET"];
  return socketPath === undefined ? undefined : { lines, socketPath, environment };
}

/** The command as a process, once it serves. */
async function spawned(t: TestContext, ...args: string[]): Promise<Served & { child: ChildProcess }> {
  const child = spawn(process.execPath, [main, "serve", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    const served = servedBy(lines);
    if (served !== undefined) return { child, ...served };
  }
  throw new Error("it has ended");
}

/** The command in this process, once it serves; `end` asks it to end. Its time stands still unless a clock is given. */
async function serving(
  t: TestContext,
  args: string[],
  surroundings = {},
): Promise<Served & { end(): Promise<number> }> {
  const { console, code, end, until } = running(t, undefined, ["serve", ...args], surroundings);
  const read = () => servedBy(console.output.trimEnd().split("\n"));
  await until(() => read() !== undefined);
  const ended = () => {
    end.abort();
    return code;
  };
  return { ...(read() as Served), end: ended };
}

async function refused(...args: string[]): Promise<{ code: number; errors: string }> {
  const console = consoleOf({ signal: AbortSignal.abort() });
  return { code: await run(args, console), errors: console.errors };
}

describe("serve", { concurrency: true }, () => {
  test("serves a sample node in a directory of mode 0700, which SIGTERM removes", async (t) => {
    const { child, lines, socketPath } = await spawned(t);
    assert.deepEqual(lines, ["fake kubelet 1.37: 16 sample pods", `export KUBELET_PODS_SOCKET=${socketPath}`]);
    assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
    assert.equal((await clientOf(t, { socketPath }, systemEnvironment).listPods()).length, sampleNode().length);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    assert.equal(existsSync(dirname(socketPath)), false);
  });

  test("leaves its socket after SIGKILL, and the next process replaces it", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
    const { child } = await spawned(t, "--socket", socketPath);
    assert.equal(statSync(dirname(socketPath)).mode & 0o777, 0o700);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.deepEqual(readdirSync(dirname(socketPath)), ["pods-api.sock"]);
    const { child: next } = await spawned(t, "--socket", socketPath);
    assert.equal((await clientOf(t, { socketPath }, systemEnvironment).listPods()).length, sampleNode().length);
    next.kill("SIGINT");
    await once(next, "exit");
    assert.deepEqual(readdirSync(dirname(socketPath)), []);
  });

  test("serves the pods of a file with --profile and --churn", async (t) => {
    const file = join(temporaryDirectory(t), "pods.yaml");
    writeFileSync(file, "kind: Pod\nmetadata: {uid: a, name: a}\nstatus: {phase: Running}\n");
    const args = ["--pods", file, "--profile", "1.36", "--churn", "200", "--seed", "3"];
    const { lines, socketPath } = await serving(t, args, passing());
    assert.equal(lines[0], "fake kubelet 1.36: 1 pod, 200 changes/s");
    const seen = new Set<string>();
    for await (const event of clientOf(t, { socketPath }).watchPods()) {
      seen.add(event.type);
      if (seen.has("MODIFIED")) break;
    }
    assert.deepEqual([...seen], ["ADDED", "SYNCED", "MODIFIED"]);
  });

  test("--initializing rejects calls for the given number of seconds", async (t) => {
    const clock = new VirtualClock();
    const { socketPath } = await serving(t, ["--initializing", "0.5"], { environment: clock.environment });
    await clock.advance(499);
    await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), { code: "initializing" });
    await clock.advance(1);
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
  });

  test("replaces a socket in use only with --force", async (t) => {
    const kubelet = await ReferenceKubelet.start();
    t.after(() => kubelet.close());
    const { code, errors } = await refused("serve", "--socket", kubelet.socketPath);
    assert.equal(code, 1);
    assert.match(
      errors,
      /^kubelet-pods serve: invalid-argument: cannot listen on .*: the socket is in use; choose another path\n$/,
    );
    const { socketPath } = await serving(t, ["--socket", kubelet.socketPath, "--force"]);
    assert.equal((await clientOf(t, { socketPath }).listPods()).length, sampleNode().length);
  });

  test("does not listen below /var/lib/kubelet, also through links and parent directories", async (t) => {
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
      assert.match(errors, /use --force to listen there/);
    }
    assert.equal(existsSync("/var/lib/kubelet/pods-api"), false);
  });

  test("--pod-resources serves the podresources API", async (t) => {
    const { end, environment } = await serving(t, ["--pod-resources"]);
    const resources = new PodResourcesClient({ socketPath: environment["KUBELET_PODRESOURCES_SOCKET"] ?? "" });
    t.after(() => resources.close());
    const listed = await resources.list();
    const given = listed.flatMap(({ containers }) => containers.filter(({ devices }) => devices.length > 0));
    assert.deepEqual(
      given.map(({ name, devices, cpuIds }) => ({ name, devices, cpuIds })),
      [
        {
          name: "import",
          devices: [{ resourceName: "nvidia.com/gpu", deviceIDs: ["gpu-0"], numaNodes: [0] }],
          cpuIds: [0, 1],
        },
      ],
    );
    const { devices, cpuIds } = await resources.getAllocatableResources();
    assert.deepEqual(devices.flatMap(({ deviceIDs }) => deviceIDs).sort(), ["gpu-0", "gpu-1", "gpu-2"]);
    assert.deepEqual(cpuIds, [0, 1, 2, 3, 4, 5]);
    assert.equal(await end(), 0);
  });

  test("--state restores the pods of the previous process", async (t) => {
    const state = join(temporaryDirectory(t), "state.json");
    const first = await serving(t, ["--state", state, "--churn", "300"], passing());
    const client = clientOf(t, { socketPath: first.socketPath });
    const informer = client.informer({ includeFinished: true });
    await informer.synced();
    const sample = new Set(sampleNode().map(({ metadata }) => metadata?.uid ?? ""));
    for await (const event of informer) if (event.type === "ADDED" && !sample.has(event.pod.metadata.uid)) break;
    await first.end();
    assert.equal(statSync(state).mode & 0o777, 0o600);
    const { items } = JSON.parse(readFileSync(state, "utf8")) as { items: PodJson[] };
    const second = await serving(t, ["--state", state]);
    const pods = await clientOf(t, { socketPath: second.socketPath }).listPods();
    assert.deepEqual(
      pods.map(({ metadata }) => metadata.uid).sort(),
      items.map(({ metadata }) => metadata?.uid).sort(),
    );
    assert.ok(pods.some(({ metadata }) => !sample.has(metadata.uid)));
  });

  test("does not write the state through a symbolic link at its temporary path", async (t) => {
    const directory = temporaryDirectory(t);
    const [state, victim] = [join(directory, "state.json"), join(directory, "victim")];
    writeFileSync(victim, "untouched");
    symlinkSync(victim, `${state}.${process.pid}`);
    const { end } = await serving(t, ["--state", state]);
    assert.equal(await end(), 0);
    assert.equal(readFileSync(victim, "utf8"), "untouched");
    assert.equal(JSON.parse(readFileSync(state, "utf8")).items.length, sampleNode().length);
  });

  test("SIGHUP or two signals remove the socket's directory and save the state", async (t) => {
    for (const signals of [["SIGHUP"], ["SIGINT", "SIGINT"], ["SIGTERM", "SIGINT"]] as const) {
      const state = join(temporaryDirectory(t), "state.json");
      const { child, environment } = await spawned(t, "--state", state);
      for (const signal of signals) child.kill(signal);
      assert.deepEqual(await once(child, "exit"), [0, null], signals.join());
      assert.ok(existsSync(state));
      assert.equal(existsSync(dirname(environment["KUBELET_PODS_SOCKET"] ?? "")), false);
    }
  });

  test("reports where it cannot create its directory", async () => {
    const env = { ...process.env, TMPDIR: "/proc" };
    const failed = await promisify(execFile)(process.execPath, [main, "serve"], { env }).catch((error) => error);
    assert.equal(failed.code, 1);
    assert.match(
      failed.stderr,
      /^kubelet-pods serve: invalid-argument: cannot create a directory in \/proc \(\w+\); pass socketPath/,
    );
  });

  test("rejects invalid options without quoting the contents of files", async (t) => {
    const secret = join(temporaryDirectory(t), "secret");
    writeFileSync(secret, "hidden: [content");
    const [empty, dangling] = [join(temporaryDirectory(t), "empty"), join(temporaryDirectory(t), "dangling")];
    writeFileSync(empty, "\n");
    symlinkSync("/no/such/place", dangling);
    const cases: [args: string[], code: number, says: RegExp][] = [
      [["--profile", "1.35"], 2, /--profile must be one of 1\.38, 1\.37, 1\.36, v1beta1, v1, documented/],
      [["--churn", "many"], 2, /--churn must be a number from 0 to 10000/],
      [
        ["--churn", "-1"],
        2,
        /^kubelet-pods serve: --churn needs a value; write a value that begins with - as --churn=-/,
      ],
      [["--socket", "/tmp/\u001b[2Js"], 2, /--socket must not have control characters/],
      [["--socket", "/etc/passwd/s"], 1, /cannot listen on \/etc\/passwd\/s: .*ENOTDIR/],
      [["--socket", "/proc/no/s"], 1, /cannot listen on \/proc\/no\/s: .*ENOENT/],
      [["--initializing", ""], 2, /--initializing must be a number/],
      [["--pods", "/no/such/file"], 2, /--pods: \/no\/such\/file cannot be read \(ENOENT\)/],
      [["--pods", secret], 2, /not valid YAML: see line/],
      [["--frobnicate"], 2, /unknown option --frobnicate\n/],
      [["--pods", empty], 2, /--pods: .* is empty/],
      [["--socket", dangling], 1, /cannot listen on .*: it is a symbolic link/],
      [["--state", ""], 2, /--state must be the path of a file/],
      [["--state", "/no/such/directory/state.json"], 2, /--state: .* cannot be written \(ENOENT\)/],
      [["--state", secret], 2, /--state: .*not valid YAML/],
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

describe("kubelet-pods", { concurrency: true }, () => {
  test("prints help and the version, and exits with 2 for an unknown command", async () => {
    const help = consoleOf();
    assert.equal(await run(["--help"], help), 0);
    assert.match(help.output, /record {7}record a kubelet .*\n {2}serve {8}start a fake kubelet/);
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

  test("exits with 0 if the reader closes the pipe", async () => {
    const child = spawn(process.execPath, [main, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy(); // before it has begun
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.equal(code, 0);
    assert.equal(stderr, "");
  });
});

test("serve --help lists every profile", async () => {
  const console = consoleOf();
  assert.equal(await run(["serve", "--help"], console), 0);
  const help = console.output;
  for (const name of Object.keys(PROFILES))
    assert.match(help, new RegExp(`[ (]${name.replace(".", "\\.")}[ ,\n]`), name);
});
