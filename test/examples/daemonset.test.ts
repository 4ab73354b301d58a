// What examples/daemonset.yaml asks for is what an agent needs, and no more.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parseAllDocuments } from "yaml";
import { fromKubernetesJson, type PodJson, selfIdentity } from "../../src/index.js";
import { podResourcesSocket, socketCandidates } from "../../src/wire/socket-path.js";
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

test("it mounts the directories of the sockets, read-only, where the clients look for them", () => {
  const volumes = template.spec?.volumes ?? [];
  const directories = [socketCandidates({})[0], podResourcesSocket({})[0]].map((path) => dirname(path));
  assert.deepEqual(
    container?.volumeMounts,
    directories.map((directory, i) => ({ name: volumes[i]?.name, mountPath: directory, readOnly: true })),
  );
  assert.deepEqual(
    volumes.map(({ hostPath }) => hostPath),
    directories.map((path) => ({ path, type: "Directory" })),
    "and nothing else of the host",
  );
});

test("an agent that reads the kubelet's HTTP server may read its pods, and nothing else", () => {
  const text = readFileSync(join(root, "examples/kubelet-http.yaml"), "utf8");
  const [account, role, binding] = parseAllDocuments(text).map((document) => document.toJS());
  assert.deepEqual(role.rules, [{ apiGroups: [""], resources: ["nodes/pods"], verbs: ["get"] }]);
  assert.deepEqual([binding.roleRef.kind, binding.roleRef.name], [role.kind, role.metadata.name]);
  const { kind, metadata } = account;
  assert.deepEqual(binding.subjects, [{ kind, name: metadata.name, namespace: metadata.namespace }]);
  assert.equal(metadata.namespace, namespace.metadata.name);
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
