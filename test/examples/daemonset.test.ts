// What examples/daemonset.yaml asks for is what an agent needs, and no more.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { fromKubernetesJson, type PodJson, selfIdentity } from "../../src/index.js";
import { socketCandidates } from "../../src/wire/socket-path.js";
import { root } from "../helpers/programs.js";

const file = join(root, "examples/daemonset.yaml");
const documents = parseAllDocuments(readFileSync(file, "utf8")).map((document) => document.toJS());
const [namespace, daemonSet] = documents;
const template = daemonSet.spec.template as PodJson;
const container = template.spec?.containers?.[0];

test("it is a DaemonSet in a namespace of its own, whose selector its pods match", () => {
  assert.deepEqual([namespace.kind, daemonSet.kind, daemonSet.apiVersion], ["Namespace", "DaemonSet", "apps/v1"]);
  assert.equal(daemonSet.metadata.namespace, namespace.metadata.name);
  assert.deepEqual(daemonSet.spec.selector.matchLabels, template.metadata?.labels);
});

test("its template has no key that Kubernetes does not know", () => {
  assert.equal(fromKubernetesJson(template).spec?.containers.length, 1);
  assert.throws(() => fromKubernetesJson({ spec: { containres: [] } } as never), "the check finds such keys");
});

test("it mounts the directory of the socket, read-only, where a client looks for it", () => {
  const [volume] = template.spec?.volumes ?? [];
  const [mount] = container?.volumeMounts ?? [];
  const directory = dirname(socketCandidates({})[0]);
  assert.deepEqual(mount, { name: volume?.name, mountPath: directory, readOnly: true });
  assert.deepEqual(volume?.hostPath, { path: directory, type: "Directory" });
  assert.equal(template.spec?.volumes?.length, 1, "and nothing else of the host");
});

test("it runs as uid 0 and has nothing else of root", () => {
  assert.deepEqual(container?.securityContext, {
    runAsUser: 0,
    runAsGroup: 0,
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
    seccompProfile: { type: "RuntimeDefault" },
  });
  for (const key of ["hostNetwork", "hostPID", "hostIPC", "securityContext"] as const) {
    assert.equal(template.spec?.[key], undefined, key);
  }
});

test("it has no access to the API server", () => {
  assert.equal(template.spec?.automountServiceAccountToken, false);
  assert.equal(template.spec?.serviceAccountName, undefined);
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ["Namespace", "DaemonSet"],
    "no role, no binding",
  );
});

test("its environment tells selfIdentity the pod and the node", async () => {
  const values: Record<string, string> = { "metadata.uid": "uid of the pod", "spec.nodeName": "name of the node" };
  const pathOf = (path: string | null | undefined) =>
    values[path ?? ""] ?? assert.fail(`${path} is not of the downward API`);
  const env = Object.fromEntries(
    (container?.env ?? []).map(({ name, valueFrom }) => [name, pathOf(valueFrom?.fieldRef?.fieldPath)]),
  );
  const self = await selfIdentity({ env, procRoot: "/nonexistent" });
  assert.equal(self?.from, "environment");
  assert.equal(self?.uid, "uid of the pod");
  assert.equal(self?.nodeName, "name of the node");
});

test("its namespace says that it asks for more than baseline", () => {
  assert.equal(namespace.metadata.labels["pod-security.kubernetes.io/enforce"], "privileged");
});
