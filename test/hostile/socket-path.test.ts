// Whatever lies at the socket's path, or on the way to it: a word for it, no waiting where that is no use, and the kubelet
// is found when it is there at last.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PodsErrorCode } from "../../src/index.js";
import { type ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { clientOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";
import { published } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const isRoot = process.getuid?.() === 0;

describe("a path without a kubelet's socket", () => {
  const cases: [what: string, make: (path: string) => void, code: PodsErrorCode, message: RegExp][] = [
    ["nothing", () => {}, "socket-missing", /ENOENT/],
    ["a link to nothing", (path) => symlinkSync(`${path}.nothing`, path), "socket-missing", /ENOENT/],
    ["a link to itself", (path) => symlinkSync(path, path), "socket-missing", /ELOOP/],
    ["a directory", (path) => mkdirSync(path), "not-a-socket", /it is a directory/],
    ["a link to a directory", (path) => symlinkSync("/", path), "not-a-socket", /it is a directory/],
    ["a file", (path) => writeFileSync(path, ""), "not-a-socket", /it is a regular file/],
    ["a link to a file", (path) => symlinkSync("/etc/passwd", path), "not-a-socket", /it is a regular file/],
    ["a device", (path) => symlinkSync("/dev/zero", path), "not-a-socket", /it is a special file/],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), "not-a-socket", /it is a special file/],
  ];
  for (const [what, make, code, message] of cases) {
    test(`${what} is ${code}, and a kubelet that replaces it is found`, async (t) => {
      const path = join(temporaryDirectory(t), "s.sock");
      make(path);
      const pods = clientOf(t, { socketPath: path });
      const found = await pods.probe();
      assert.ok(!found.ready && found.code === code, JSON.stringify(found));
      assert.match(found.message, message);

      rmSync(path, { recursive: true, force: true });
      await kubeletOf(t, { socketPath: path, pods: sampleNode() });
      assert.equal((await pods.listPods()).length, 16);
    });
  }

  test("has the same code for a user who may not write to what is there", {
    skip: !isRoot && "needs root",
  }, async (t) => {
    const directory = temporaryDirectory(t);
    chmodSync(directory, 0o755);
    for (const [i, [, make]] of cases.entries()) {
      const path = join(directory, `${i}.sock`);
      make(path);
      if (existsSync(path) && !lstatSync(path).isSymbolicLink()) chmodSync(path, 0o500);
    }
    const program = `
      import { PodsClient } from ${JSON.stringify(published("index.js"))};
      process.setgid(65534);
      process.setuid(65534); // after the import: this user may not be able to read this checkout
      const found = [];
      for (const socketPath of process.argv.slice(1)) {
        const pods = new PodsClient({ socketPath });
        const { code, message } = await pods.probe();
        found.push([code, message]);
        await pods.close();
      }
      console.log(JSON.stringify(found));
    `;
    const paths = cases.map((_, i) => join(directory, `${i}.sock`));
    const node = promisify(execFile)(process.execPath, ["--input-type=module", "-e", program, ...paths]);
    const found: [code: string, message: string][] = JSON.parse((await node).stdout);
    for (const [i, [what, , code, message]] of cases.entries()) {
      assert.equal(found[i]?.[0], code, what);
      assert.match(found[i]?.[1] ?? "", message);
    }
  });

  test("a file in place of the directory is socket-missing", async (t) => {
    const file = join(temporaryDirectory(t), "file");
    writeFileSync(file, "");
    const found = await clientOf(t, { socketPath: join(file, "s.sock") }).probe();
    assert.ok(!found.ready && found.code === "socket-missing", JSON.stringify(found));
  });
});

test("calls follow a symbolic link that alternates between two kubelets", async (t) => {
  const directory = temporaryDirectory(t);
  const link = join(directory, "link.sock");
  const kubelets = await Promise.all(
    ["one", "two"].map(async (name, i) => {
      const pods = sampleNode().slice(0, i + 1);
      const kubelet = await kubeletOf(t, { socketPath: join(directory, `${name}.sock`), pods });
      return kubelet;
    }),
  );
  const pods = clientOf(t, { socketPath: link });
  for (let i = 0; i < 40; i++) {
    const kubelet = kubelets[i % 2] as ReferenceKubelet;
    symlinkSync(kubelet.socketPath, `${link}.new`);
    renameSync(`${link}.new`, link);
    const [list, again] = await Promise.all([pods.listPods(), pods.listPods()]);
    assert.equal(list.length, again.length);
    // Who goes on asking is answered by the new one, when the directory has told of it.
    await until(t, async () => (await pods.listPods()).length === (i % 2) + 1);
  }
});
