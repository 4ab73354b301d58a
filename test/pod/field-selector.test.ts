import assert from "node:assert/strict";
import { toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson, podMask } from "../../src/index.js";
import { parseFieldSelector } from "../../src/pod/field-selector.js";
import { planOf } from "../../src/pod/mask.js";
import { project } from "../../src/pod/project.js";
import { neededFor, PodSelector } from "../../src/pod/selector.js";
import { test } from "../helpers/test.js";

const pod = fromKubernetesJson({
  metadata: { name: "web-0", namespace: "shop" },
  spec: {
    nodeName: "node-1",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    serviceAccount: "web",
    hostNetwork: true,
  },
  status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }], nominatedNodeName: "a,b=c\\d" },
});

const cases: [selector: string, matches: boolean][] = [
  ["", true],
  [",,", true],
  ["metadata.name=web-0", true],
  ["metadata.name==web-0", true],
  ["metadata.name!=web-0", false],
  ["metadata.namespace=shop,metadata.name=web-0", true],
  ["metadata.namespace=shop,metadata.name=web-1", false],
  ["spec.nodeName=node-1", true],
  ["spec.restartPolicy!=Never", true],
  ["spec.schedulerName=default-scheduler", true],
  ["spec.serviceAccountName=web", true],
  ["spec.hostNetwork=true", true],
  ["spec.hostNetwork=false", false],
  ["spec.hostNetwork!=True", true],
  ["status.phase=Running", true],
  ["status.phase!=Running,", false],
  ["status.podIP=10.0.0.1", true],
  ["status.podIP=", false],
  ["spec.serviceAccountName=", false],
  ["status.nominatedNodeName=a\\,b\\=c\\\\d", true],
  ["status.nominatedNodeName!=a\\,b", true],
];

for (const [selector, matches] of cases) {
  test(`"${selector}" ${matches ? "is" : "is not"} so`, () => {
    assert.equal(parseFieldSelector(selector).matches(pod), matches);
  });
}

test("a pod that says nothing has no text in any field, and is on no host's network", () => {
  const empty = fromKubernetesJson({});
  for (const [selector] of cases) {
    const field = /^[^=!]+/.exec(selector)?.[0];
    if (field === undefined || field.startsWith(",")) continue;
    const value = field === "spec.hostNetwork" ? "false" : "";
    assert.equal(parseFieldSelector(`${field}=${value}`).matches(empty), true, field);
  }
});

test("a mask that leaves its field out changes nothing, whichever field it is", () => {
  const bytes = toBinary(PodSchema, pod);
  const label = podMask("metadata.uid");
  for (const [fieldSelector, matches] of cases) {
    const selector = new PodSelector({ fieldSelector });
    const kept = project(bytes, planOf(neededFor(label, selector)));
    assert.equal(selector.selects(kept), matches, fieldSelector);
  }
});

const wrong: [selector: string, message: string][] = [
  ["metadata.name", "at its end: there should be =, == or != and a value"],
  ["metadata.name,status.phase=Running", "at character 14: there should be =, == or != and a value"],
  ["status.phse=Running", 'at character 1: "status.phse" is no field to select by; there are metadata.name, '],
  ["metadata.name=a,metadata.uid=b", 'at character 17: "metadata.uid" is no field to select by'],
  ["metadata.name =a", '"metadata.name " is no field'],
  ["toString=a", '"toString" is no field'],
  ["metadata.name=a=b", "at character 16: in a value a backslash stands before"],
  ["metadata.name=a\\b", "at character 16: in a value a backslash stands before"],
  ["metadata.name=a\\", "at character 16: in a value a backslash stands before"],
  ["metadata.name in (a)", "at character 14: there should be ="],
];

for (const [selector, message] of wrong) {
  test(`"${selector}" is refused where it is wrong`, () => {
    assert.throws(
      () => parseFieldSelector(selector),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, "invalid-argument");
        assert.ok(error.message.includes(message), error.message);
        return true;
      },
    );
  });
}
