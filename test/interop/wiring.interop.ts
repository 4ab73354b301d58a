// The gRPC server of test/interop/go has the options of the kubelet's own: a new interceptor of a release is noticed here first.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "../helpers/test.js";
import { go, goVersions, noGo } from "./go-kubelet.js";
import { moduleDirectory } from "./toolchain.js";

/** Returns the statements between two texts, without white space and trailing commas. */
function statements(file: string, begin: string, end: string): string {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(begin);
  assert.ok(start >= 0, `${file} has ${begin}`);
  const body = text.slice(text.indexOf("{\n", start) + 2, text.indexOf(end, start));
  return body
    .replace(/^\s*logger := .*$/m, "")
    .replace(/\s+/g, "")
    .replace(/,\)/g, ")");
}

describe("the options of the gRPC server are those of the kubelet", { skip: noGo }, () => {
  for (const version of goVersions) {
    test(version, () => {
      const kubernetes = go(version, "list", "-m", "-f", "{{.Dir}}", "k8s.io/kubernetes").trim();
      const theirs = join(kubernetes, "pkg/kubelet/server/server.go");
      const ours = join(moduleDirectory, `kubelet/server_${version.replace(".", "_")}.go`);
      assert.equal(
        statements(ours, "func newGRPCServer(", "return server"),
        statements(theirs, "func ListenAndServePodsServer(", "podsv1alpha1.RegisterPodsServer"),
      );
    });
  }
});
