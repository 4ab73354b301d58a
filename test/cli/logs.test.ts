// `kubelet-pods logs`, as a shell sees it.

import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ReferenceKubelet } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { TurnClock } from "../helpers/turn-clock.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { ran as command, passing, running } from "./console.js";

const A = "2c4d8b1e-0000-4000-8000-000000000001";
const B = "2c4d8b1e-0000-4000-8000-000000000002";

/** Directories of logs, and the command over them; nobody is at its socket. */
function logs(t: TestContext) {
  const root = temporaryDirectory(t);
  const line = (text: string, at = "00", tag = "F") => `2026-11-24T10:00:${at}.000000000Z stdout ${tag} ${text}\n`;
  const path = (uid: string, file: string, pod = "shop_web") => join(root, `${pod}_${uid}`, file);
  const write = (uid: string, file: string, text: string | Buffer, pod?: string) => {
    mkdirSync(dirname(path(uid, file, pod)), { recursive: true });
    writeFileSync(path(uid, file, pod), text);
  };
  const ran = (...args: string[]) =>
    command(join(root, "nobody.sock"), ["logs", ...args, "--log-root", root], passing());
  return { root, line, path, write, ran };
}

test("a log is shown with its rotated and compressed files, lines whole, control characters escaped", async (t) => {
  const { line, write, ran } = logs(t);
  write(A, "main/0.log", line("an old life"));
  write(A, "main/1.log.20261124-090000.gz", gzipSync(line("one", "01")));
  write(A, "main/1.log.20261124-100000", line("t", "02", "P") + line("wo", "02"));
  write(A, "main/1.log", `${line("\u001b[31mthree\ttabs", "03")}${line("an end that is not whole", "04", "P")}`);
  const { code, output, errors } = await ran("web");
  assert.deepEqual([code, errors], [0, ""]);
  assert.equal(output, "one\ntwo\n\\u001b[31mthree\ttabs\nan end that is not whole\n");
  assert.equal((await ran("pod/web", "-p")).output, "an old life\n");
  assert.equal((await ran("shop/web", "--tail", "2")).output, "\\u001b[31mthree\ttabs\nan end that is not whole\n");
  assert.equal((await ran(A, "--tail", "0")).output, "");
  assert.equal((await ran("web", "main", "--tail=3", "--timestamps")).lines[0], "2026-11-24T10:00:02.000000000Z two");
});

test("times have nine digits, as kubelets write them; runtimes leave zeros out", async (t) => {
  const { write, ran } = logs(t);
  write(A, "main/0.log", "2026-11-24T10:00:01.5Z stdout F half\n2026-11-24T10:00:02+02:00 stderr F none\n");
  const { lines } = await ran("web", "--timestamps");
  assert.deepEqual(lines, ["2026-11-24T10:00:01.500000000Z half", "2026-11-24T10:00:02.000000000+02:00 none"]);
});

test("--since is by the time of the command", async (t) => {
  const { root, line, write } = logs(t);
  write(A, "main/0.log", line("old", "01") + line("young", "31"));
  const clock = new VirtualClock();
  clock.wallMs = () => Date.parse("2026-11-24T10:01:00Z");
  const args = ["logs", "web", "--since", "30s", "--log-root", root];
  assert.equal((await command(join(root, "s"), args, { environment: clock.environment })).output, "young\n");
});

test("which pod and container, and what there is none of, in one line", async (t) => {
  const { root, line, write, ran, path } = logs(t);
  write(A, "main/0.log", line("mine"));
  write(B, "main/0.log", line("its own"), "bank_web");
  write(B, "b/0.log", line("b"), "bank_two");
  write(B, "a/0.log", line("a"), "bank_two");
  symlinkSync(path(A, "main/0.log"), path(A, "main/1.log"));
  for (const [args, words] of [
    [["web"], "web is in several namespaces: -n bank, shop"],
    [["none"], `there is no log of a pod none below ${root}`],
    [["deploy/web"], "deploy/web is no pod; a kubelet has pods alone, instead: kubectl logs"],
    [["two"], "which container? -c a, b"],
    [["two", "-c", "c"], "there is no log of c; there are a, b"],
    [["two", "-c", "../../bank_web"], "there is no log of ../../bank_web; there are a, b"],
    [["two", "-c", "a", "-p"], "there is no log of a life before the last one of a"],
    [
      ["web", "-n", "shop"],
      `invalid-path: ${path(A, "main/1.log")} is no plain file; nothing else is read below the directory of logs`,
    ],
  ] as const) {
    const { code, errors, output } = await ran(...args);
    assert.deepEqual([code, errors, output], [1, `kubelet-pods logs: ${words}\n`, ""], args.join(" "));
  }
  assert.equal((await ran("web", "-n", "bank")).output, "its own\n");
  for (const args of [[], ["web", "main", "more"], ["web", "-f", "-p"], ["web", "--tail", "x"]])
    assert.equal((await ran(...args)).code, 2, args.join(" "));
  const nowhere = await command(join(root, "s"), ["logs", "web", "--log-root", join(root, "no")]);
  assert.match(nowhere.errors, /cannot be read \(ENOENT\); --log-root names the kubelet's podLogsDir/);
});

/** A kubelet with one pod of two containers that writes logs, and the command on it. */
async function node(t: TestContext) {
  const logRoot = join(temporaryDirectory(t), "pods");
  const pod = {
    metadata: {
      uid: A,
      namespace: "shop",
      name: "web",
      annotations: { "kubectl.kubernetes.io/default-container": "app" },
    },
    spec: {
      containers: [
        { name: "proxy", image: "i" },
        { name: "app", image: "i" },
      ],
    },
  };
  const clock = new TurnClock();
  const kubelet = await ReferenceKubelet.start({ pods: [pod], logRoot }, clock);
  t.after(() => kubelet.close());
  kubelet.startPod(A);
  kubelet.writeLog(A, "proxy", "not this\n");
  kubelet.writeLog(A, "app", "one\n");
  const directory = join(logRoot, `shop_web_${A}`);
  const follow = (...args: string[]) =>
    running(t, kubelet, ["logs", "web", "--log-root", logRoot, "-f", ...args], { environment: clock.environment });
  return { kubelet, logRoot, directory, follow, clock };
}

test("without -c it is the container that kubectl takes, as the kubelet says", async (t) => {
  const { kubelet, logRoot, clock } = await node(t);
  const surroundings = { environment: clock.environment };
  assert.equal((await command(kubelet, ["logs", "web", "--log-root", logRoot], surroundings)).output, "one\n");
});

test("-f goes on over rotation and restarts, and ends with the pod", { timeout: 60_000 }, async (t) => {
  const { kubelet, directory, follow } = await node(t);
  const { until, code } = follow();
  await until(({ output }) => output === "one\n");
  renameSync(join(directory, "app/0.log"), join(directory, "app/0.log.20261124-100000"));
  kubelet.writeLog(A, "app", "two\n");
  await until(({ output }) => output === "one\ntwo\n");
  kubelet.restartContainer(A, "app");
  kubelet.writeLog(A, "app", "three\n");
  await until(({ output }) => output === "one\ntwo\nthree\n");
  kubelet.writeLog(A, "app", "four\n");
  kubelet.finishPod(A);
  await until(({ output }) => output.endsWith("four\n"));
  assert.equal(await code, 0);
});

test("-f goes on while the kubelet is away, and ends with the directory", { timeout: 60_000 }, async (t) => {
  const { kubelet, directory, follow } = await node(t);
  const { until, code } = follow("-c", "app", "--tail", "1");
  await until(({ output }) => output === "one\n");
  await kubelet.close();
  appendFileSync(join(directory, "app/0.log"), "2026-11-24T10:00:00.0Z stdout F two\n");
  await until(({ output }) => output.endsWith("two\n"));
  rmSync(directory, { recursive: true });
  assert.equal(await code, 0);
});
