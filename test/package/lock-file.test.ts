import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

interface Locked {
  packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;
}

/** The package that one in `directory` finds by this name, as Node.js looks for it. */
function found(packages: Locked["packages"], directory: string, name: string): boolean {
  const place = directory === "" ? "" : `${directory}/`;
  if (`${place}node_modules/${name}` in packages) return true;
  if (directory === "") return false;
  return found(packages, directory.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

test("the lock file contains the optional packages of every platform", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;
  const missing = Object.entries(packages).flatMap(([directory, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !found(packages, directory, name))
      .map((name) => `${name} of ${directory}`),
  );
  assert.deepEqual(missing, []);
});
