// node --import tsx tools/bill-of-materials.ts >kubelet-pods.cdx.json
//
// The bill of materials (CycloneDX) of what users get: the packages that npm installs, and those whose code is in the package itself.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./working-copy.js";

const bill = installedBill();
bill.metadata.component.name = "kubelet-pods"; // npm writes the name of the folder

/**
 * Returns the bill of what npm installs for users. `npm sbom --omit=dev` would also leave out a dependency that a development tool depends
 * on, so npm reads a copy of the lock file that has no development packages.
 */
function installedBill() {
  const copy = mkdtempSync(join(tmpdir(), "bill-"));
  try {
    for (const file of ["package.json", "package-lock.json"]) {
      const content = JSON.parse(readFileSync(join(root, file), "utf8"));
      for (const manifest of [content, content.packages?.[""]]) {
        delete manifest?.devDependencies;
        delete manifest?.overrides;
      }
      for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(content.packages ?? {}))
        if (dev) delete content.packages[path];
      writeFileSync(join(copy, file), JSON.stringify(content));
    }
    const npm = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"];
    return JSON.parse(execFileSync("npm", npm, { cwd: copy, maxBuffer: 1 << 26 }).toString());
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Returns the packages whose code is in dist, by the notices that the build puts there. */
function bundled(): string[] {
  const texts = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(join(root, "dist", file), "utf8"));
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/^\/\*! The package (\S+) /gm)].map(([, name = ""]) => name))),
  ];
}

for (const name of bundled()) {
  const { version, license } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
  const ref = `${name}@${version}`;
  bill.components.push({
    "bom-ref": ref,
    type: "library",
    name,
    version,
    scope: "required",
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: license } }],
    properties: [{ name: "cdx:npm:package:bundled", value: "true" }],
  });
  bill.dependencies.push({ ref, dependsOn: [] });
  bill.dependencies
    .find((each: { ref: string }) => each.ref === bill.metadata.component["bom-ref"])
    .dependsOn.push(ref);
}
console.log(JSON.stringify(bill, undefined, 2));
