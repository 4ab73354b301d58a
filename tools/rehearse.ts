// npm run rehearse: what the workflow `release` runs, by its own lines, in a copy of the working tree: from the tag to the package and its bill
// of materials. What needs a person's accounts (npm publish) is left out; what comes before it is looked at.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inWorkingCopy, root } from "./working-copy.js";

const AT = "https://git.example/someone/kubelet-pods";

/** Done by CI before it, and by a person's accounts after it. */
const LEFT_OUT = [/^npm run check /, /^npm publish /];

const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const [upToPublish = ""] = workflow.split("\n  site:");
const steps = [...upToPublish.matchAll(/^ +(?:- )?run: (.+)$/gm)].map(([, step = ""]) => step);

inWorkingCopy((copy) => {
  const { version } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  const env = { ...process.env, GITHUB_REF_NAME: `v${version}`, AT };
  for (const step of steps) {
    const isLeftOut = LEFT_OUT.some((pattern) => pattern.test(step));
    console.log(`${isLeftOut ? "left out" : "run"}: ${step}`);
    if (!isLeftOut) execFileSync("bash", ["-ec", step], { cwd: copy, env, stdio: ["ignore", "ignore", "inherit"] });
  }
  const packages = readdirSync(copy).filter((file) => file.endsWith(".tgz"));
  assert.deepEqual(packages, [`kubelet-pods-${version}.tgz`]);

  const bill = JSON.parse(readFileSync(join(copy, "kubelet-pods.cdx.json"), "utf8"));
  const components: string[] = bill.components.map((each: { group?: string; name: string }) => each.name);
  for (const name of ["@bufbuild/protobuf", "@connectrpc/connect", "@connectrpc/connect-node", "yaml"])
    assert.ok(components.includes(name), `${name} is not in the bill of materials`);
  assert.ok(!components.includes("typescript"), "the bill of materials has development tools");
  const yaml = bill.components.find((each: { name: string }) => each.name === "yaml");
  assert.deepEqual(yaml.licenses, [{ license: { id: "ISC" } }]);

  const place = mkdtempSync(join(tmpdir(), "rehearse-"));
  try {
    execFileSync("tar", ["-xzf", join(copy, packages[0] ?? ""), "-C", place]);
    const published = JSON.parse(readFileSync(join(place, "package/package.json"), "utf8"));
    assert.equal(published.repository.url, `git+${AT}.git`);
    assert.equal(published.bugs.url, `${AT}/issues`);
    console.log(
      `${packages[0]} names ${published.repository.url}, and its bill of materials has ${components.length} packages`,
    );
  } finally {
    rmSync(place, { recursive: true });
  }
});
