// The reproductions of docs/upstream.md, each on a real node: what they print is what the page says.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { after, before, describe, test } from "../helpers/test.js";
import { LiveNode, nodeName } from "./live-node.js";

const page = readFileSync(join(root, "docs/upstream.md"), "utf8");
const [, given = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
const only = new RegExp(process.env["NODE_SCENARIOS"] ?? "", "i");
const all = [
  ...page
    .slice(page.indexOf("\n## ", page.indexOf("## Requirements")))
    .matchAll(
      /^## (.*)\n(?:(?!^## )[\s\S])*?^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$(?:\n\nFrom 1.38 on, .*\n\n```text\n([\s\S]*?)^```$)?/gm,
    ),
];

/** Why none of them is played; undefined where they are. */
const foreign = process.env["NODE_DRIVER"] === undefined ? undefined : "these are for the local driver";

describe("upstream", { concurrency: 1 }, () => {
  let node: LiveNode | undefined;
  before(async () => {
    if (foreign !== undefined || !all.some(([, name = ""]) => only.test(name))) return;
    node = await LiveNode.up("cluster", nodeName("upstream"));
    await node?.start(node.facts.versions[0] ?? "");
  });
  after(async () => {
    if (process.env["NODE_KEEP"] === undefined) await node?.down();
  });

  for (const [, name = "", script = "", before138 = "", since138] of all.filter(([, name = ""]) => only.test(name))) {
    test(name, async (t) => {
      if (foreign !== undefined) return t.skip(foreign);
      assert.ok(node !== undefined, "the driver has no cluster");
      const { facts, socketPath, version } = node;
      const isSince138 = version.localeCompare("1.38", "en", { numeric: true }) >= 0;
      const expected = isSince138 ? (since138 ?? before138) : before138;
      const driver = join(root, "test/node/local/driver");
      // What is other on this node than on one of a distribution.
      const overrides = [
        `SOCKET=${socketPath} NODE=${facts.nodeName} MANIFESTS=${join(dirname(facts.rootDir), "manifests")}`,
        `IMAGE=localhost/tool:1 SLEEP='[sleep]' EXIT='[exit, "0", "0"]' UNSHUT='[/tool, unshut, /gate/shut]'`,
        `export NODE_NAME=${facts.nodeName} PATH=${facts.tools}:$PATH`,
        `STOP='${driver} stop' START='${driver} start ${version}'`,
        `kubectl() { ${facts.kubectl} "$@"; }`,
      ];
      const tools = "for tool in grpcurl jq; do command -v $tool >/dev/null || echo there is no $tool; done";
      const whole = ["set -u", given, ...overrides, tools, "answers", script].join("\n");
      // Files, and not pipes, which a watch would keep open.
      const directory = temporaryDirectory(t);
      const [out, errors] = ["out", "errors"].map((name) => join(directory, name)) as [string, string];
      const stdio = ["ignore", openSync(out, "w"), openSync(errors, "w")] as const;
      const shell = spawn("bash", ["-c", whole], { cwd: root, stdio: [...stdio], detached: true, timeout: 300_000 });
      await once(shell, "exit");
      if (shell.pid !== undefined) killGroup(shell.pid); // its watches, which nobody else ends
      assert.equal(readFileSync(out, "utf8"), expected, readFileSync(errors, "utf8").slice(-2_000));
    });
  }

  test("the page has at least 12 reproductions", () => assert.ok(all.length >= 12));
});

/** Ends what is left of a group of processes. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
