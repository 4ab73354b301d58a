// The programs and commands of README and of every page, each run. It alone finds one that does not do what its page says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { type Block, blocksOf, pages } from "../helpers/pages.js";
import { root } from "../helpers/programs.js";
import { describe, type TestContext, test } from "../helpers/test.js";

/** Comments at the end of a line that prints say what it prints. */
const promised = (code: string) => [...code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)].map((match) => match[1]);

/** A kubelet with the sample's pods, one of which has a device, and where to find it. */
async function nodeOf(t: TestContext) {
  const HOST_CGROUP = temporaryDirectory(t);
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode(), podResources: true, cgroupRoot: HOST_CGROUP });
  const ledger = sampleNode().find(({ metadata }) => metadata?.name === "ledger-1");
  const devices = [{ resourceName: "example.com/disk", deviceIDs: ["disk-1"], numaNodes: [0] }];
  kubelet.assignResources(ledger?.metadata?.uid ?? "", "ledger", { devices, cpuIds: [2, 3] });
  const { socketPath: KUBELET_PODS_SOCKET, podResourcesSocketPath: KUBELET_PODRESOURCES_SOCKET } = kubelet;
  const JOURNAL = join(HOST_CGROUP, "ends");
  return { kubelet, env: { ...process.env, HOST_CGROUP, JOURNAL, KUBELET_PODS_SOCKET, KUBELET_PODRESOURCES_SOCKET } };
}

/** Writes a program beside packages that are installed as a user installs them. */
function fileOf(t: TestContext, { code, language }: Block): string {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, "node_modules"));
  symlinkSync(root, join(directory, "node_modules/kubelet-pods"));
  for (const scope of ["@opentelemetry", "@connectrpc", "@bufbuild"]) {
    symlinkSync(join(root, "node_modules", scope), join(directory, "node_modules", scope));
  }
  const file = join(directory, language === "ts" ? "block.mts" : "block.mjs");
  writeFileSync(file, code);
  return file;
}

/** Runs a Node.js program to its end, or until it prints a text that says that it would go on for ever. */
async function run(
  t: TestContext,
  args: string[],
  env: NodeJS.ProcessEnv,
  last: string | undefined,
  cwd: string = root,
) {
  const child = spawn(process.execPath, args, { cwd, env });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (last !== undefined && output.includes(last)) child.kill("SIGTERM");
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, output, errors };
}

describe("programs in the docs run and print what their comments promise", () => {
  const programs = blocksOf("js", "ts");
  for (const block of programs) {
    test(block.place, async (t) => {
      const { env, kubelet } = await nodeOf(t);
      t.after(() => kubelet.close());
      const isTest = block.code.includes('from "node:test"');
      const args = [
        ...(block.language === "ts" ? ["--import", "tsx"] : []),
        ...(isTest ? ["--test"] : []),
        fileOf(t, block),
      ];
      // A test within a test is not run as one, unless it is not known to be within.
      if (isTest) delete (env as NodeJS.ProcessEnv)["NODE_TEST_CONTEXT"];
      const { exitCode, output, errors } = await run(t, args, env, block.endsAfter);
      assert.deepEqual([exitCode, errors], [0, ""], output);
      assert.notEqual(output, "");
      const expected = promised(block.code);
      if (expected.length > 0 && block.endsAfter === undefined) {
        assert.deepEqual(output.trim().split("\n"), expected);
      }
    });
  }

  test("README.md and at least twelve pages contain programs", () => {
    assert.ok(programs.some(({ place }) => place.startsWith("README")));
    assert.ok(new Set(programs.map(({ place }) => place.split(" ")[0])).size >= 12);
  });
});

describe("commands in the docs work", () => {
  const lines = blocksOf("sh")
    .flatMap(({ code }) => code.split("\n"))
    .map((line) => line.replace(/#.*$/, "").trim());

  const commands = new Set(lines.filter((line) => line.startsWith("npx kubelet-pods ")));
  for (const command of commands) {
    test(command, async (t) => {
      const { env, kubelet } = await nodeOf(t);
      t.after(() => kubelet.close());
      const [, , ...args] = command.split(/\s+/);
      const program = [join(root, "dist/cli/main.js"), ...args];
      const { exitCode, output, errors } = await run(
        t,
        program,
        env,
        "export KUBELET_PODS_SOCKET=",
        temporaryDirectory(t),
      );
      assert.deepEqual([exitCode, errors.replace(NOTICE, "")], [0, ""]);
      assert.notEqual(output, "");
    });
  }
  test("the docs contain at least eight commands", () => assert.ok(commands.size >= 8));

  test("each npm script and example named in the docs exists", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const asked = pages.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:-]+)(?: ([\w/-]+))?/g)]);
    assert.ok(asked.length > 20);
    for (const [command, script = "", argument] of asked) {
      assert.ok(Object.hasOwn(scripts, script), command);
      if (script !== "example" || argument === undefined) continue;
      const files = [`${argument}.ts`, `${argument}/main.ts`].map((file) => join(root, "examples", file));
      assert.ok(files.some(existsSync), command);
    }
  });
});

/** Makes of a line of a page what a program may print: times, counts and shares are its own, `...` stands for the rest. */
function patternOf(line: string): RegExp {
  const escaped = line.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = escaped
    .replace(/\/var\/lib\/kubelet\/\S+?\\\.sock/, "\\S+\\.sock")
    .replace(/(?: )?\\\.\\\.\\\.$/, ".*")
    .replace(/[\d.\\]+(?= (?:ms|%|calls))/g, "[\\d.]+")
    .replace(/\b\d+[smhdy]\w*\b/g, "\\w+")
    .replace(/ +/g, " +");
  return new RegExp(`^${pattern}$`);
}

/** Removes each line that is printed as a page says, in its order; what is left was never printed. */
function unprinted(block: string, output: string): string[] {
  const printed = output.trimEnd().split("\n");
  return block
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const at = printed.findIndex((each) => patternOf(line).test(each));
      if (at >= 0) printed.splice(0, at + 1);
      return at < 0;
    });
}

/** README's program through an outage: what it prints, on both of its streams as they come. */
async function throughAnOutage(t: TestContext): Promise<string> {
  const pods = sampleNode().filter(({ metadata }) => /^(?:web-.*2lm8z|search-0)$/.test(metadata?.name ?? ""));
  const kubelet = await ReferenceKubelet.start({ pods });
  t.after(() => kubelet.close());
  const program = blocksOf("js").find(
    ({ place, code }) => place.startsWith("README") && /watchPods/.test(code),
  ) as Block;
  const env = { ...process.env, KUBELET_PODS_SOCKET: kubelet.socketPath };
  const both = ["-c", 'exec "$0" "$@" 2>&1', process.execPath, fileOf(t, program)];
  const child = spawn("/bin/sh", both, { env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  let output = "";
  const steps: [after: RegExp, step: () => unknown][] = [
    [
      /all pods are known/,
      () => {
        kubelet.faults.refuse();
        return kubelet.restart();
      },
    ],
    [
      /^connection-refused/m,
      () => {
        kubelet.setInitializing(true);
        kubelet.finishPod(pods.find(({ metadata }) => metadata?.name === "search-0")?.metadata?.uid ?? "");
        kubelet.faults.clear();
      },
    ],
    [/^initializing/m, () => kubelet.setInitializing(false)],
    [/all pods are known[\s\S]*all pods are known/, () => child.kill("SIGTERM")],
  ];
  child.stdout.on("data", (chunk) => {
    output += chunk;
    if (steps[0]?.[0].test(output)) void steps.shift()?.[1]();
  });
  const [exitCode] = await once(child, "close");
  assert.equal(exitCode, 0, output);
  return output;
}

/** What a command prints beside the sample node. */
async function printedBy(t: TestContext, ...args: string[]): Promise<string> {
  const { env, kubelet } = await nodeOf(t);
  t.after(() => kubelet.close());
  const { exitCode, output } = await run(t, [join(root, "dist/cli/main.js"), ...args], env, undefined);
  assert.equal(exitCode, 0, output);
  return output;
}

/** Of each block that shows what is printed, by its page and its first word: what prints it, and whether it prints more. */
const PRINTERS: Readonly<Record<string, { print: (t: TestContext) => Promise<string>; isWhole: boolean }>> = {
  "README.md ADDED": { print: throughAnOutage, isWhole: true },
  "docs/guides/operating.md NAMESPACE": {
    print: (t) => printedBy(t, "get", "etcd-node-1", "ledger-1", "payments-58dd4c7b9-k3vbp"),
    isWhole: true,
  },
};

describe("output shown in the docs matches the printed output", () => {
  // What real nodes print to the commands of upstream.md is compared on a real node.
  const shown = blocksOf("text").filter(({ place }) => !place.startsWith("docs/upstream.md"));
  for (const { place, code } of shown) {
    const key = `${place.split(" ")[0]} ${code.split(/\s/)[0]}`;
    test(key, async (t) => {
      const { print, isWhole } = PRINTERS[key] ?? assert.fail("this block has no printer: add a row to PRINTERS");
      const output = await print(t);
      assert.deepEqual(unprinted(code, output), [], output);
      if (isWhole) assert.equal(output.trimEnd().split("\n").length, code.trimEnd().split("\n").length, output);
    });
  }

  test("the docs contain output blocks", () => assert.ok(shown.length >= Object.keys(PRINTERS).length));
});

test("every YAML block in the docs is valid", () => {
  const documents = blocksOf("yaml").flatMap(({ code }) => parseAllDocuments(code));
  assert.ok(documents.length > 0);
  for (const document of documents) assert.deepEqual(document.errors, []);
});

/** Said on standard error when an answer takes half a second, as on a busy machine. */
const NOTICE = /^(?:waiting for the kubelet: no answer yet\n|try it in another terminal: .*\n)/;
