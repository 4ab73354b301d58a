// The reproductions of docs/upstream.md, each on a real node: what they print is what the page says.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../helpers/programs.js";
import { LiveNode } from "./live-node.js";

const page = readFileSync(join(root, "docs/upstream.md"), "utf8");
const [, given = ""] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? [];
const reproductions = [
  ...page.matchAll(/^## (.*)\n(?:(?!^## )[\s\S])*?^```sh\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm),
];

describe("upstream", { concurrency: 1 }, () => {
  let node: LiveNode | undefined;
  before(async () => {
    node = await LiveNode.up("cluster");
    await node?.start(node.facts.versions[0] ?? "");
  });
  after(async () => {
    if (process.env["NODE_KEEP"] === undefined) await node?.drive("down");
  });

  for (const [, name = "", script = "", expected = ""] of reproductions) {
    test(name, (t) => {
      if (node === undefined) return t.skip("the driver has no cluster");
      const { facts, socketPath, version } = node;
      if (process.env["NODE_DRIVER"] !== undefined) return t.skip("these are for the local driver");
      const driver = join(root, "test/node/local/driver");
      // What is other on this node than on one of a distribution.
      const overrides = [
        `SOCKET=${socketPath} NODE=${facts.nodeName} MANIFESTS=${join(dirname(facts.rootDir), "manifests")}`,
        `IMAGE=localhost/tool:1 SLEEP='[sleep]' EXIT='[exit, "0", "0"]'`,
        `STOP='${driver} stop' START='${driver} start ${version}'`,
        `kubectl() { ${facts.kubectl} --kubeconfig=${facts.kubeconfig} "$@"; }`,
        "trap 'kill $(jobs -p) 2>/dev/null' EXIT",
      ];
      const all = ["set -u", given, ...overrides, script].join("\n");
      const { stdout, stderr } = spawnSync("bash", ["-c", all], { cwd: root, encoding: "utf8", timeout: 240_000 });
      assert.equal(stdout, expected, stderr.slice(-2_000));
    });
  }

  test("there are as many as the page has", () => assert.ok(reproductions.length >= 12));
});
