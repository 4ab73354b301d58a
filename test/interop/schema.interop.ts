// Our field tables against `generated.proto` of the k8s.io/api that each kubelet pins.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createFileRegistry, type DescField, type DescMessage, fromBinary, ScalarType } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { root } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";
import { go, goVersions, noGo } from "./go-kubelet.js";

const protoFiles: [module: string, path: string][] = [
  ["k8s.io/api", "core/v1"],
  ["k8s.io/apimachinery", "pkg/apis/meta/v1"],
  ["k8s.io/apimachinery", "pkg/api/resource"],
  ["k8s.io/apimachinery", "pkg/runtime"],
  ["k8s.io/apimachinery", "pkg/runtime/schema"],
  ["k8s.io/apimachinery", "pkg/util/intstr"],
];

/** The Pod descriptor of a Kubernetes release, from the files in its modules. */
function upstreamPod(version: (typeof goVersions)[number]): DescMessage {
  const protos = mkdtempSync(join(tmpdir(), "k8s-proto-"));
  try {
    for (const [module, path] of protoFiles) {
      const from = go(version, "list", "-m", "-f", "{{.Dir}}", module).trim();
      const to = join(protos, module, path, "generated.proto");
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(from, path, "generated.proto"), to);
    }
    const buf = join(root, "node_modules/.bin/buf");
    const image = execFileSync(buf, ["build", protos, "--as-file-descriptor-set", "-o", "-#format=binpb"], {
      maxBuffer: 1 << 28,
    });
    const pod = createFileRegistry(fromBinary(FileDescriptorSetSchema, image)).getMessage(PodSchema.typeName);
    assert.ok(pod);
    return pod;
  } finally {
    rmSync(protos, { recursive: true });
  }
}

/** All messages below a message. */
function closure(top: DescMessage): Map<string, DescMessage> {
  const found = new Map<string, DescMessage>();
  const visit = (message: DescMessage) => {
    if (found.has(message.typeName)) return;
    found.set(message.typeName, message);
    for (const field of message.fields) if (field.message !== undefined) visit(field.message);
  };
  visit(top);
  return found;
}

/** Name, label and type, in words; whether a scalar is optional is Go's business and not on the wire. */
function shape(field: DescField): string {
  const label = field.fieldKind === "list" || field.fieldKind === "map" ? `${field.fieldKind} of ` : "";
  const type = field.message?.typeName ?? field.enum?.typeName ?? ScalarType[field.scalar ?? 0];
  const key = field.fieldKind === "map" ? `${ScalarType[field.mapKey]} to ` : "";
  const packed = field.fieldKind === "list" && field.packed ? " packed" : "";
  return `${field.name}: ${label}${key}${type}${packed}`;
}

for (const version of goVersions) {
  describe(`k8s.io/api of ${version}`, { skip: noGo }, () => {
    test("our schema has each of its fields, with the same number, name, type and label", (t) => {
      const theirs = closure(upstreamPod(version));
      const ours = closure(PodSchema);
      assert.ok(theirs.size > 100);
      const wrong: string[] = [];
      const onlyOurs: string[] = [];
      for (const [name, message] of theirs) {
        const fields = new Map(ours.get(name)?.fields.map((field) => [field.number, shape(field)]));
        for (const field of message.fields) {
          const got = fields.get(field.number);
          if (got !== shape(field)) wrong.push(`${name} ${field.number}: ${shape(field)}, ours ${got ?? "lacks it"}`);
          fields.delete(field.number);
        }
        onlyOurs.push(...[...fields.values()].map((text) => `${name}.${text.split(":")[0]}`));
      }
      onlyOurs.push(...[...ours.keys()].filter((name) => !theirs.has(name)));
      const count = [...theirs.values()].reduce((sum, message) => sum + message.fields.length, 0);
      t.diagnostic(`${theirs.size} messages, ${count} fields`);
      for (const name of onlyOurs) t.diagnostic(`only ours: ${name}`);
      assert.deepEqual(wrong, []);
    });
  });
}
