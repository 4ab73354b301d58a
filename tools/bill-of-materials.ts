// node --import tsx tools/bill-of-materials.ts >kubelet-pods.cdx.json
//
// The bill of materials (CycloneDX) of what users get: the packages that npm installs, and those whose code is in the package itself.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./working-copy.js";

const npm = ["sbom", "--omit=dev", "--sbom-format=cyclonedx"];
const bill = JSON.parse(execFileSync("npm", npm, { cwd: root, maxBuffer: 1 << 26 }).toString());

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
