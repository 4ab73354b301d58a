// What examples/deploy asks for is what an agent needs, and no more.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { fromKubernetesJson, type PodJson, selfIdentity } from "../../src/index.js";
import { podResourcesSocket, socketCandidates } from "../../src/wire/socket-path.js";
import { blocksOf } from "../helpers/pages.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const read = (file: string) =>
  parseAllDocuments(readFileSync(join(root, "examples/deploy", file), "utf8")).map((document) => document.toJS());
const documents = read("daemonset.yaml");
const [namespace, daemonSet] = documents;
const template = daemonSet.spec.template as PodJson;
const container = template.spec?.containers?.[0];

test("the DaemonSet has its own namespace, and its selector matches its pods", () => {
  assert.deepEqual([namespace.kind, daemonSet.kind, daemonSet.apiVersion], ["Namespace", "DaemonSet", "apps/v1"]);
  assert.equal(daemonSet.metadata.namespace, namespace.metadata.name);
  assert.deepEqual(daemonSet.spec.selector.matchLabels, template.metadata?.labels);
});

test("the pod template has no unknown key", () => {
  assert.equal(fromKubernetesJson(template).spec?.containers.length, 1);
  assert.throws(() => fromKubernetesJson({ spec: { containres: [] } } as never), "the check finds such keys");
});

test("the DaemonSet mounts only the socket's directory, read-only, at the client's default path", () => {
  const path = dirname(socketCandidates({})[0]);
  assert.deepEqual(container?.volumeMounts, [{ name: "pods-api", mountPath: path, readOnly: true }]);
  assert.deepEqual(template.spec?.volumes, [{ name: "pods-api", hostPath: { path, type: "Directory" } }]);
});

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

interface Kustomization {
  readonly kind: string;
  readonly resources?: readonly string[];
  readonly patches: readonly {
    readonly target: { readonly kind: string; readonly name: string };
    readonly patch: string;
  }[];
}

/** Returns the pod of the DaemonSet with patches, each of which has to find its place. */
function patchedBy({ patches }: Kustomization) {
  const patched = structuredClone(daemonSet);
  for (const { target, patch } of patches) {
    assert.deepEqual(target, { kind: daemonSet.kind, name: daemonSet.metadata.name });
    for (const { op, path, value } of parse(patch) as Operation[]) {
      const keys = path.split("/").slice(1);
      const last = keys.pop() ?? "";
      const holder = keys.reduce((node, key) => node[key] ?? assert.fail(`${path} is not there`), patched);
      if (op === "replace") assert.notEqual(holder[last], undefined, path);
      if (last === "-") holder.push(value);
      else holder[last] = value;
    }
  }
  return fromKubernetesJson(patched.spec.template).spec;
}

function withComponent(name: string) {
  const [component] = read(`components/${name}/kustomization.yaml`) as [Kustomization];
  assert.equal(component.kind, "Component");
  return { component, spec: patchedBy(component) };
}

test("the component for the journal mounts a writable directory of the node at $JOURNAL", () => {
  const { spec } = withComponent("journal");
  const [{ env, volumeMounts }] = spec.containers as [(typeof spec.containers)[number]];
  const path = env.find(({ name }) => name === "JOURNAL")?.value ?? assert.fail();
  const mount = volumeMounts.find(({ mountPath }) => mountPath === path) ?? assert.fail();
  assert.equal(mount.readOnly, false);
  const { hostPath } = spec.volumes.find(({ name }) => name === mount.name)?.volumeSource ?? {};
  assert.deepEqual([hostPath?.path, hostPath?.type], [path, "DirectoryOrCreate"]);
});

test("the overlay of the deployment guide mounts /proc of the host at HOST_PROC", () => {
  const [block] = blocksOf("yaml").filter(({ place }) => place.startsWith("docs/guides/deploy.md"));
  const overlay = parse(block?.code ?? "") as Kustomization & { images: { name: string }[] };
  assert.equal(overlay.images[0]?.name, container?.image?.split(":")[0]);
  const { volumes, containers } = patchedBy(overlay);
  assert.equal(volumes[1]?.volumeSource?.hostPath?.path, "/proc");
  const { name, mountPath, readOnly } = containers[0]?.volumeMounts[1] ?? {};
  assert.deepEqual([name, readOnly], [volumes[1]?.name, true]);
  assert.equal(containers[0]?.env.find((variable) => variable.name === "HOST_PROC")?.value, mountPath);
});

test("the pod-resources component mounts its socket's directory read-only", () => {
  const { spec } = withComponent("pod-resources");
  const path = dirname(podResourcesSocket({})[0]);
  const mount = spec.containers[0]?.volumeMounts[1];
  assert.deepEqual([mount?.name, mount?.mountPath, mount?.readOnly], [spec.volumes[1]?.name, path, true]);
  assert.equal(spec.volumes[1]?.volumeSource?.hostPath?.path, path);
});

test("the kubelet-http component sets a service account with token and requires no socket directory", () => {
  const { spec, component } = withComponent("kubelet-http");
  assert.deepEqual(component.resources, ["rbac.yaml"]);
  const [account] = read("components/kubelet-http/rbac.yaml");
  assert.deepEqual([spec.serviceAccountName, spec.automountServiceAccountToken], [account.metadata.name, true]);
  assert.equal(spec.volumes[0]?.volumeSource?.hostPath?.type, "DirectoryOrCreate");
  const [hostIP, url] = spec.containers[0]?.env.slice(-2) ?? [];
  assert.deepEqual(
    [hostIP?.valueFrom?.fieldRef?.fieldPath, url?.value],
    ["status.hostIP", `https://$(${hostIP?.name}):10250`],
  );
});

test("the openshift component admits the DaemonSet by a service account without token", () => {
  const { spec, component } = withComponent("openshift");
  assert.deepEqual(component.resources, ["scc.yaml"]);
  const [account, scc] = read("components/openshift/scc.yaml");
  const { name, namespace: ofAccount } = account.metadata;
  assert.deepEqual(scc.users, [`system:serviceaccount:${ofAccount}:${name}`]);
  assert.deepEqual([spec.serviceAccountName, spec.automountServiceAccountToken], [name, false]);
  assert.equal(spec.containers[0]?.securityContext?.seLinuxOptions?.type, "spc_t");
  assert.ok(scc.allowHostDirVolumePlugin && scc.volumes.includes("hostPath"));
  assert.deepEqual([scc.runAsUser.type, scc.seLinuxContext.type], ["RunAsAny", "RunAsAny"]);
  const others = ["HostIPC", "HostNetwork", "HostPID", "HostPorts", "PrivilegeEscalation", "PrivilegedContainer"];
  for (const right of others) assert.equal(scc[`allow${right}`], false, right);
});

test("the base kustomization contains the DaemonSet", () => {
  const [kustomization] = read("kustomization.yaml");
  assert.deepEqual([kustomization.kind, kustomization.resources], ["Kustomization", ["daemonset.yaml"]]);
});

test("the kubelet-http role allows only `get` on nodes/pods", () => {
  const [account, role, binding] = read("components/kubelet-http/rbac.yaml");
  assert.deepEqual(role.rules, [{ apiGroups: [""], resources: ["nodes/pods"], verbs: ["get"] }]);
  assert.deepEqual([binding.roleRef.kind, binding.roleRef.name], [role.kind, role.metadata.name]);
  const { kind, metadata } = account;
  assert.deepEqual(binding.subjects, [{ kind, name: metadata.name, namespace: metadata.namespace }]);
  assert.equal(metadata.namespace, namespace.metadata.name);
});

test("the container runs as UID 0 without capabilities or host namespaces", () => {
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

test("the DaemonSet has no access to the API server", () => {
  assert.equal(template.spec?.automountServiceAccountToken, false);
  assert.equal(template.spec?.serviceAccountName, undefined);
  assert.deepEqual(
    documents.map(({ kind }) => kind),
    ["Namespace", "DaemonSet"],
    "no role, no binding",
  );
});

test("the container's environment gives selfIdentity() the pod UID and node name", async () => {
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

test("the namespace enforces the privileged Pod Security level", () => {
  assert.equal(namespace.metadata.labels["pod-security.kubernetes.io/enforce"], "privileged");
});
