// node --import tsx test/run.ts runtimes: an agent on each Node.js that docs/support.md names and in a bundle, and its tests under vitest and
// jest. Installs them from npm, into a directory of its own.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { root } from "../helpers/programs.js";
import { after, describe, test } from "../helpers/test.js";

const directory = mkdtempSync(join(tmpdir(), "runtimes-"));
after(() => rmSync(directory, { recursive: true }));
const inside = (path: string) => join(directory, path);
const agent = inside("agent.mjs");

/** Runs a program in the directory, to its end. */
function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
}

const [{ filename }] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", directory], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  }).toString(),
);
copyFileSync(join(import.meta.dirname, "agent.mjs"), agent);
writeFileSync(inside("package.json"), JSON.stringify({ private: true, type: "module" }));
// Without their scripts: what they run is in packages of the platform.
const packages = ["esbuild", "vitest@3", "jest@30"];
run("npm", "install", "--silent", "--ignore-scripts", "--no-audit", `./${filename}`, ...packages);

const bin = (name: string) => inside(`node_modules/.bin/${name}`);
const versionOf = (name: string) =>
  JSON.parse(readFileSync(inside(`node_modules/${name}/package.json`), "utf8")).version;

/** Runs an agent beside a kubelet, restarts that when the agent is synced, and compares what the agent has found. */
async function works(command: string, ...args: string[]): Promise<void> {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  const env = { ...process.env, KUBELET_PODS_SOCKET: kubelet.socketPath };
  const child = spawn(command, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let output = "";
    let errors = "";
    let restarted: Promise<void> | undefined;
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("synced")) restarted ??= kubelet.restart({ downtimeMs: 50 });
    });
    const [code] = (await once(child, "close")) as [number | null];
    await restarted;
    assert.equal(code, 0, errors);
    assert.equal(output, "synced\n16 14 web-6bf9d8c7d5-2lm8z\n", errors);
  } finally {
    child.kill("SIGKILL");
    await kubelet.close();
  }
}

describe("an agent runs", () => {
  for (const version of ["20.19", "22", "24", "26"]) {
    test(`on Node.js ${version}`, () => works("npx", "-y", "-p", `node@${version}`, "--", "node", agent));
  }

  test(`in a bundle of esbuild ${versionOf("esbuild")} without node_modules`, async () => {
    const aside = mkdtempSync(join(tmpdir(), "bundle-"));
    after(() => rmSync(aside, { recursive: true }));
    const bundle = join(aside, "agent.mjs");
    run(bin("esbuild"), agent, "--bundle", "--platform=node", "--format=esm", `--outfile=${bundle}`);
    await works(process.execPath, bundle);
  });
});

/** The test of an agent, as users write it. */
const AGENT_TEST = `
import { PodsClient } from "kubelet-pods";
import { ReferenceKubelet, sampleNode } from "kubelet-pods/testing";

test("finds a pod by IP address before and after a restart of the kubelet", async () => {
  await using kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  const informer = pods.informer({ mask: ["metadata.name"] });
  await informer.synced();
  expect(informer.find({ ip: "10.244.1.15" }).pod?.metadata.name).toBe("web-6bf9d8c7d5-2lm8z");
  await kubelet.restart({ firstStatusMs: 0 });
  await informer.synced();
  expect(informer.find({ ip: "10.244.1.15" }).pod?.metadata.name).toBe("web-6bf9d8c7d5-2lm8z");
});

test("rejects with the code of the kubelet's error", async () => {
  await using kubelet = await ReferenceKubelet.start();
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  await expect(pods.getPod("no-such-uid")).rejects.toMatchObject({ code: "not-found" });
});

test("waits for an IP address while Date is faked", async () => {
  fakeDate();
  await using kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  await using pods = new PodsClient({ socketPath: kubelet.socketPath });
  const informer = pods.informer();
  await informer.synced();
  kubelet.addPod({ metadata: { uid: "u1", name: "web-0" }, spec: { containers: [{ name: "web", image: "web" }] } });
  kubelet.startPod("u1", { ip: "10.1.2.3" });
  const { pod } = await informer.waitFor({ ip: "10.1.2.3" });
  expect(pod.metadata.name).toBe("web-0");
  expect(new Date().getFullYear()).toBe(2026);
});
`;

/** The calls that docs/guides/testing.md names. */
const FAKE_DATE = {
  vitest: `vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-06-01") });`,
  jest: `jest.useFakeTimers({
    now: new Date("2026-06-01"),
    doNotFake: ["hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "setInterval", "setTimeout"],
  });`,
};
for (const [runner, call] of Object.entries(FAKE_DATE)) {
  const flat = (text: string) => text.replace(/\s+/g, " ");
  const guide = flat(readFileSync(join(root, "docs/guides/testing.md"), "utf8"));
  test(`the testing guide contains the call that fakes Date with ${runner}`, () =>
    assert.ok(guide.includes(flat(call))));
}

describe("an agent's tests pass", () => {
  test(`under vitest ${versionOf("vitest")}`, () => {
    mkdirSync(inside("vitest"));
    writeFileSync(
      inside("vitest/agent.test.ts"),
      `import { expect, test, vi } from "vitest";\nfunction fakeDate() { ${FAKE_DATE.vitest} }${AGENT_TEST}`,
    );
    run(bin("vitest"), "run", "--root", "vitest");
  });

  test(`under jest ${versionOf("jest")}`, () => {
    mkdirSync(inside("jest"));
    const source = inside("jest/source.ts");
    const head = `import { jest } from "@jest/globals";\nfunction fakeDate() { ${FAKE_DATE.jest} }`;
    writeFileSync(source, `${head}${AGENT_TEST}`);
    // The syntax of `await using` is newer than Node.js 20.
    run(bin("esbuild"), source, "--target=es2022", "--outfile=jest/agent.test.mjs");
    const config = { rootDir: "jest", testMatch: ["**/*.test.mjs"], transform: {} };
    run(process.execPath, "--experimental-vm-modules", bin("jest"), "--config", JSON.stringify(config));
  });
});
