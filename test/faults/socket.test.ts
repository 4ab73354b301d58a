// The socket as a thing that moves: rows of the fault matrix, for unary calls.

import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ConnectionMessage, RetryMessage, WatchMessage } from "../../src/diagnostics.js";
import { connectionChannel, retryChannel, watchChannel } from "../../src/diagnostics.js";
import type { PodsError } from "../../src/index.js";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { systemClock } from "../../src/timing/clock.js";
import { isMounted } from "../../src/wire/mounts.js";
import { SocketWatch } from "../../src/wire/socket-watch.js";
import { answer, resetStream, serveHttp2 } from "../helpers/hostile.js";
import { clientOf, kubeletAndClient, kubeletOf, serveRaw, temporaryDirectory } from "../helpers/kubelet.js";
import { published } from "../helpers/programs.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const count = sampleNode().length;
const isRoot = process.getuid?.() === 0;
const canMount = isRoot && spawnSync("unshare", ["--mount", "true"]).status === 0;

/** Everything a channel publishes of a socket during the test. */
function messages<T extends { socketPath: string }>(
  t: TestContext,
  channel: typeof connectionChannel | typeof watchChannel,
  socketPath: string,
): T[] {
  const seen: T[] = [];
  const push = (message: unknown) => {
    if ((message as T).socketPath === socketPath) seen.push(message as T);
  };
  channel.subscribe(push);
  t.after(() => channel.unsubscribe(push));
  return seen;
}

async function startKubelet(t: TestContext, socketPath: string): Promise<ReferenceKubelet> {
  const kubelet = await kubeletOf(t, { socketPath, pods: sampleNode() });
  return kubelet;
}

/** Resolves when the first attempt of a call to the socket has failed. */
function firstRetry(t: TestContext, socketPath: string): Promise<RetryMessage> {
  return new Promise((resolve) => {
    const listener = (message: unknown) => {
      if ((message as RetryMessage).socketPath === socketPath) resolve(message as RetryMessage);
    };
    retryChannel.subscribe(listener);
    t.after(() => retryChannel.unsubscribe(listener));
  });
}

describe("without a server", () => {
  test("a call waits for the socket and fails at its deadline with socket-missing [#1]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api.sock");
    const pods = clientOf(t, { socketPath });
    await assert.rejects(pods.listPods({ timeoutMs: 100 }), { code: "socket-missing", socketPath, retryable: true });
    const [call, retry] = [pods.listPods(), firstRetry(t, socketPath)];
    assert.equal((await retry).error.code, "socket-missing");
    await startKubelet(t, socketPath);
    assert.equal((await call).length, count);
  });

  test("a call waits for the socket's directory and its parents [#2]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "a", "b", "pods-api.sock");
    const [call, retry] = [clientOf(t, { socketPath }).listPods(), firstRetry(t, socketPath)];
    await retry;
    mkdirSync(dirname(dirname(socketPath)));
    await startKubelet(t, socketPath);
    assert.equal((await call).length, count);
  });

  test("a call retries after a stale socket file and reaches the next kubelet [#3]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api.sock");
    const script = `require("net").createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, "SIGKILL"))`;
    spawnSync(process.execPath, ["-e", script]);
    const [call, retry] = [clientOf(t, { socketPath }).listPods(), firstRetry(t, socketPath)];
    assert.equal((await retry).error.code, "connection-refused");
    await startKubelet(t, socketPath);
    assert.equal((await call).length, count);
  });

  test("a directory event ends a wait, and each wait opens new watches [#1 #20]", async (t) => {
    const directory = join(temporaryDirectory(t), "pods-api");
    const socketPath = join(directory, "pods-api.sock");
    let unavailable = 0;
    const watch = new SocketWatch([socketPath], () => unavailable++);
    const never = new AbortController();
    t.after(systemClock.after(Number.POSITIVE_INFINITY, () => {})); // keeps the process alive, as a call does
    const changed = () => watch.changed(never.signal);
    for (const change of [
      () => mkdirSync(directory),
      () => writeFileSync(socketPath, ""),
      () => renameSync(socketPath, `${socketPath}.old`),
      () => rmSync(directory, { recursive: true }),
      () => mkdirSync(directory),
      () => writeFileSync(socketPath, ""),
    ]) {
      const woken = changed();
      change();
      await woken;
      assert.equal(getEventListeners(never.signal, "abort").length, 0);
    }
    await watch.changed(AbortSignal.abort());
    assert.equal(unavailable, 0);
    const aborted = changed();
    never.abort();
    await aborted;
  });

  test("a call reaches the kubelet after its directory is deleted and recreated [#20]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "pods-api", "pods-api.sock");
    mkdirSync(dirname(socketPath));
    const [call, retry] = [clientOf(t, { socketPath }).listPods(), firstRetry(t, socketPath)];
    await retry;
    rmSync(dirname(socketPath), { recursive: true });
    await startKubelet(t, socketPath);
    assert.equal((await call).length, count);
  });

  test("reports once that directories cannot be watched and continues to wait [#19]", async () => {
    let told = 0;
    const exhausted = () => {
      throw Object.assign(new Error("inotify limit"), { code: "ENOSPC" });
    };
    const watch = new SocketWatch(["/a/b.sock", "/c/d.sock"], () => told++, systemClock, exhausted);
    for (let i = 0; i < 3; i++) {
      const controller = new AbortController();
      let over = false;
      const waiting = watch.changed(controller.signal).then(() => {
        over = true;
      });
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(over, false);
      controller.abort();
      await waiting;
    }
    assert.equal(told, 1);
  });

  test("each attempt follows a symbolic link again [#10]", async (t) => {
    const directory = temporaryDirectory(t);
    const link = join(directory, "link.sock");
    symlinkSync(join(directory, "nowhere"), link);
    const pods = clientOf(t, { socketPath: link });
    await assert.rejects(pods.listPods({ retry: false }), { code: "socket-missing" });
    for (const name of ["one.sock", "two.sock"]) {
      const kubelet = await startKubelet(t, join(directory, name));
      unlinkSync(link);
      symlinkSync(join(directory, name), link);
      assert.equal((await pods.listPods()).length, count);
      await kubelet.close();
    }
  });
});

describe("a socket that is unlinked or replaced", () => {
  test("keeps using the connection after the socket is unlinked [#16]", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
    const connections = messages<ConnectionMessage>(t, connectionChannel, kubelet.socketPath);
    await pods.listPods();
    unlinkSync(kubelet.socketPath);
    assert.equal((await pods.listPods()).length, count);
    assert.deepEqual(
      connections.map(({ type }) => type),
      ["connected"],
    );
  });

  test("sends calls to a socket renamed into place and keeps the open stream [#17]", async (t) => {
    const directory = temporaryDirectory(t);
    const socketPath = join(directory, "pods-api.sock");
    const connections = messages<ConnectionMessage>(t, connectionChannel, socketPath);
    const news = messages<WatchMessage>(t, watchChannel, socketPath);
    await startKubelet(t, socketPath);
    const pods = clientOf(t, { socketPath });
    const watch = pods.watchPods();
    await watch.next();
    await ReferenceKubelet.start({ socketPath: join(directory, "new.sock") }).then((kubelet) => {
      t.after(() => kubelet.close());
      renameSync(kubelet.socketPath, socketPath);
    });
    await until(t, async () => (await pods.listPods()).length === 0);
    const seen = connections.map(({ type }) => type).filter((type) => type !== "goaway" && type !== "closed");
    assert.deepEqual(seen, ["connected", "replaced", "connected"]);
    assert.ok(!news.some(({ type }) => type === "lost"), "no stream was lost");
    await watch.return?.();
  });
});

describe("refused connections", () => {
  test("reports not-permitted without retries and connects after chmod [#5]", {
    skip: !isRoot && "needs root",
  }, async (t) => {
    const directory = temporaryDirectory(t);
    chmodSync(directory, 0o755);
    const { socketPath } = await startKubelet(t, join(directory, "pods-api.sock"));
    const program = `
      import { PodsClient } from ${JSON.stringify(published("index.js"))};
      process.setgid(65534);
      process.setuid(65534); // after the import: nobody may not be able to read this checkout
      const pods = new PodsClient({ socketPath: process.argv[1] });
      const outcome = await pods.listPods().then((list) => list.length, (e) => e.code + " " + e.attempts + " " + /run as root/.test(e.hint));
      console.log(String(outcome));
      await pods.close();
    `;
    const asNobody = async () => {
      const node = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, socketPath]);
      return (await node).stdout.trim();
    };
    for (const mode of [0o600, 0o444]) {
      chmodSync(socketPath, mode);
      assert.equal(await asNobody(), "not-permitted 1 true", mode.toString(8));
    }
    chmodSync(socketPath, 0o666);
    assert.equal(await asNobody(), String(count));
  });

  test("retries while the listen backlog is full [#7]", async (t) => {
    const socketPath = join(temporaryDirectory(t), "s.sock");
    // Listens, and never accepts: its event loop is blocked.
    const script = `
      const server = require("net").createServer();
      server.listen({ path: ${JSON.stringify(socketPath)}, backlog: 1 }, () => {
        require("fs").writeSync(1, "listening");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      });`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const fillers: Socket[] = [];
    t.after(() => {
      for (const socket of fillers) socket.destroy();
    });
    for (let full = false; !full; ) {
      const socket = connect(socketPath);
      fillers.push(socket);
      full = await new Promise((resolve) =>
        socket.on("connect", () => resolve(false)).on("error", () => resolve(true)),
      );
    }
    const connections = messages<ConnectionMessage>(t, connectionChannel, socketPath);
    await assert.rejects(clientOf(t, { socketPath }).listPods({ timeoutMs: 1_000 }), (error: PodsError) => {
      assert.equal(error.code, "connection-lost");
      assert.match(error.message, /EAGAIN/);
      return error.attempts > 1;
    });
    assert.ok(connections.length <= 40, `${connections.length} dials in a second`);
  });

  test("retries when too many files are open and leaks no descriptor [#8]", async (t) => {
    const { socketPath } = await startKubelet(t, join(temporaryDirectory(t), "s.sock"));
    const program = `
      import { closeSync, openSync, readdirSync } from "node:fs";
      import { PodsClient } from ${JSON.stringify(published("index.js"))};
      let pods;
      let error = { code: "none" };
      const before = readdirSync("/proc/self/fd").length;
      const files = [];
      // Node.js may close one by itself just then, and the connection gets its place.
      while (error.code === "none") {
        await pods?.close();
        pods = new PodsClient({ socketPath: process.argv[1] });
        try { for (;;) files.push(openSync("/dev/null")); } catch {}
        error = await pods.listPods({ timeoutMs: 500 }).then(() => error, (e) => e);
      }
      for (const file of files) closeSync(file);
      const after = readdirSync("/proc/self/fd").length;
      // Node.js may have had one open at first that it closes by itself.
      console.log(error.code, error.attempts > 1, Math.max(0, after - before), (await pods.listPods()).length);
      await pods.close();
    `;
    const command = 'ulimit -n 512; exec "$@"';
    const args = ["-c", command, "sh", process.execPath, "--input-type=module", "-e", program, socketPath];
    const { stdout } = await promisify(execFile)("sh", args);
    assert.equal(stdout.trim(), `connection-lost true 0 ${count}`);
  });

  test("limits connection attempts to a peer that closes at once [#12]", async (t) => {
    let dials = 0;
    const socketPath = await serveRaw(t, (socket) => {
      dials++;
      socket.destroy();
    });
    await assert.rejects(clientOf(t, { socketPath }).listPods({ timeoutMs: 1_500 }), { code: "connection-lost" });
    assert.ok(dials >= 2 && dials <= 40, `${dials} dials in 1.5 s`);
  });

  test("retries a refused stream without delay [#24]", async (t) => {
    const socketPath = await serveHttp2(t, (stream, _, nth) => (nth === 1 ? resetStream(stream, 7) : answer(stream)));
    const retries = messages<RetryMessage>(t, retryChannel, socketPath);
    assert.deepEqual(await clientOf(t, { socketPath }).listPods(), []);
    assert.deepEqual(
      retries.map(({ delayMs }) => delayMs),
      [0],
    );
  });

  test("distinguishes a mounted socket file from a mounted directory [#18]", () => {
    const line = (point: string) => `36 35 98:0 /a ${point} rw,noatime shared:1 - ext3 /dev/root rw`;
    assert.equal(isMounted("/run/k/pods-api.sock", line("/run/k/pods-api.sock")), true);
    assert.equal(isMounted("/run/k/pods api.sock", line("/run/k/pods\\040api.sock")), true);
    assert.equal(isMounted("/run/k/pods-api.sock", line("/run/k")), false);
  });

  test("the hint advises mounting the directory when only the socket file is mounted [#18]", {
    skip: !canMount && "needs root and unshare",
  }, async (t) => {
    const directory = temporaryDirectory(t);
    const kubelet = await startKubelet(t, join(directory, "kubelet.sock"));
    const mounted = join(directory, "mounted.sock");
    writeFileSync(mounted, "");
    const program = `
      import { PodsClient } from ${JSON.stringify(published("index.js"))};
      const pods = new PodsClient({ socketPath: process.argv[1], retry: false });
      console.log((await pods.listPods()).length);
      await new Promise((resolve) => process.stdin.once("data", resolve));
      await pods.close();
      const error = await new PodsClient({ socketPath: process.argv[1], retry: false }).listPods().catch((e) => e);
      console.log(error.code, error.hint);
      for await (const event of new PodsClient({ socketPath: process.argv[1] }).watchPods()) {
        console.log("watch:", event.type, event.error?.code, event.error?.hint);
        break;
      }
      process.exit();
    `;
    const command = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
    const node = [process.execPath, "--input-type=module", "-e", program, mounted];
    const child = spawn("unshare", ["--mount", "sh", "-c", command, "sh", kubelet.socketPath, mounted, ...node]);
    t.after(() => child.kill("SIGKILL"));
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.trim() === String(count)) void kubelet.restart().then(() => child.stdin.write("go\n"));
    });
    await once(child, "close");
    const advice = "the socket file itself is mounted.*mount its directory";
    assert.match(
      output,
      new RegExp(`^16\\nconnection-refused ${advice}\\nwatch: DISCONNECTED connection-refused ${advice}\\n$`),
    );
  });
});

test("all calls of three busy clients succeed despite the kubelet's rate limit [#31]", async (t) => {
  const kubelet = await startKubelet(t, join(temporaryDirectory(t), "s.sock"));
  const uid = kubelet.pods[0]?.metadata?.uid ?? "";
  const retries = messages<RetryMessage>(t, retryChannel, kubelet.socketPath);
  const clients = Array.from({ length: 3 }, () => clientOf(t, { socketPath: kubelet.socketPath }));
  const calls = clients.flatMap((pods) => Array.from({ length: 15 }, () => pods.getPod(uid)));
  assert.equal((await Promise.all(calls)).length, 45);
  // How many are rejected depends on how fast this machine sends them.
  for (const { error } of retries) assert.equal(error.code, "rate-limited");
});

test("a hundred connections leave no file descriptor open [#80]", async (t) => {
  const { kubelet } = await kubeletAndClient(t, { pods: sampleNode() });
  const { signal } = new AbortController();
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const cycle = async () => {
    const pods = clientOf(t, { socketPath: kubelet.socketPath });
    await pods.probe();
    for await (const event of pods.watchPods({ signal })) if (event.type === "SYNCED") break;
    await pods.close();
  };
  await cycle();
  const before = descriptors();
  for (let i = 0; i < 100; i++) await cycle();
  // The server's ends close on their own turn.
  for (let i = 0; i < 100 && descriptors() > before; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(descriptors(), before);
});
