// Attributes of pods and containers by OpenTelemetry's semantic conventions.

import assert from "node:assert/strict";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { type ContainerRun, containersOf, fromKubernetesJson, type PodJson, podMasks } from "../../src/index.js";
import { NAMES, SERVICE, WORKLOADS } from "../../src/otel/attribute-names.js";
import { attributesMask, attributesOf } from "../../src/otel/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const ID = "4f1c2b7a9d3e8f60".repeat(4);

const container: ContainerRun = {
  kind: "regular",
  name: "app",
  containerID: ID,
  runtime: "containerd",
  image: "registry.shop.example:5000/web/app:1.25.3",
  imageID: `registry.shop.example:5000/web/app@sha256:${ID}`,
  restartCount: 2,
  startedAt: undefined,
  ended: false,
};

const made = (pod: PodJson) => fromKubernetesJson(pod);

const web: PodJson = {
  metadata: {
    uid: "6f6ad3a0-3f4b-4a2e-9b7c-0d1f2a3b4c5d",
    namespace: "shop",
    name: "web-6bf9d8c7d5-hq6rn",
    labels: { "pod-template-hash": "6bf9d8c7d5", "app.kubernetes.io/name": "web", "k8s.pod.uid": "a stranger's" },
    annotations: { note: "rolled by hand" },
    ownerReferences: [
      { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-6bf9d8c7d5", uid: "rs-uid", controller: true },
    ],
  },
  spec: { nodeName: "node-a", hostname: "web", containers: [] },
  status: { podIP: "10.244.1.15", startTime: "2026-11-20T08:00:00Z" },
};

test("every attribute name is defined by the semantic conventions", () => {
  const known = new Set<unknown>(Object.values(conventions));
  for (const name of [...Object.values(NAMES), ...Object.values(SERVICE)]) assert.ok(known.has(name), name);
  for (const prefix of Object.values(WORKLOADS)) {
    for (const name of [`${prefix}.name`, `${prefix}.uid`]) assert.ok(known.has(name), name);
  }
  assert.equal(conventions.ATTR_K8S_POD_LABEL("app"), "k8s.pod.label.app");
});

test("returns attributes of a pod, its workload and its container", () => {
  assert.deepEqual(attributesOf(made(web), container), {
    "k8s.pod.uid": web.metadata?.uid,
    "k8s.pod.name": "web-6bf9d8c7d5-hq6rn",
    "k8s.namespace.name": "shop",
    "k8s.node.name": "node-a",
    "k8s.pod.hostname": "web",
    "k8s.pod.ip": "10.244.1.15",
    "k8s.pod.start_time": "2026-11-20T08:00:00Z",
    "k8s.replicaset.name": "web-6bf9d8c7d5",
    "k8s.replicaset.uid": "rs-uid",
    "k8s.deployment.name": "web",
    "container.id": ID,
    "k8s.container.name": "app",
    "container.runtime.name": "containerd",
    "k8s.container.restart_count": 2,
    "container.image.name": "registry.shop.example:5000/web/app",
    "container.image.tags": ["1.25.3"],
    "container.image.repo_digests": [`registry.shop.example:5000/web/app@sha256:${ID}`],
  });
});

test("maps labels and annotations without overwriting identifying attributes", () => {
  const attributes = attributesOf(made(web), undefined, {
    labels: (key) => (key === "app.kubernetes.io/name" ? "service.name" : key),
    annotations: (key) => `k8s.pod.annotation.${key}`,
  });
  assert.equal(attributes["service.name"], "web");
  assert.equal(attributes["k8s.pod.annotation.note"], "rolled by hand");
  assert.equal(attributes["k8s.pod.uid"], web.metadata?.uid, "a label does not overwrite the UID");
  const labels = {
    "container.id": "x",
    "k8s.deployment.name": "x",
    "k8s.job.uid": "x",
    "k8s.node.name": "x",
    mine: "y",
  };
  const bare = made({ metadata: { uid: "u", namespace: "n", name: "p", labels } });
  assert.deepEqual(attributesOf(bare, undefined, { labels: (key) => key }), {
    "k8s.pod.uid": "u",
    "k8s.pod.name": "p",
    "k8s.namespace.name": "n",
    mine: "y",
  });
});

test("rejects labels that is not a function", () => {
  const options = { labels: ["app"] } as never;
  assert.throws(() => attributesOf(made(web), undefined, options), { code: "invalid-argument" });
});

describe("workloads", () => {
  const owned = (apiVersion: string, kind: string, name = "w") =>
    attributesOf(
      made({
        metadata: {
          uid: "u",
          namespace: "n",
          name: "p",
          creationTimestamp: "2026-11-20T08:00:10Z",
          ownerReferences: [{ apiVersion, kind, name, uid: "o", controller: true }],
        },
      }),
    );
  const identity = { "k8s.pod.uid": "u", "k8s.pod.name": "p", "k8s.namespace.name": "n" };

  test("Kubernetes workloads have name and UID attributes", () => {
    for (const key of Object.keys(WORKLOADS)) {
      const [group = "", kind = ""] = key.split("/");
      const prefix = WORKLOADS[key];
      const attributes = owned(group === "" ? "v1" : `${group}/v1`, kind);
      assert.deepEqual(attributes, { ...identity, [`${prefix}.name`]: "w", [`${prefix}.uid`]: "o" });
    }
  });

  test("a Job of a CronJob has the attributes of both", () => {
    const minutes = Math.floor(Date.parse("2026-11-20T08:00:00Z") / 60_000);
    assert.deepEqual(owned("batch/v1", "Job", `backup-${minutes}`), {
      ...identity,
      "k8s.job.name": `backup-${minutes}`,
      "k8s.job.uid": "o",
      "k8s.cronjob.name": "backup",
    });
  });

  test("owners of extensions/v1beta1 are treated as apps", () => {
    assert.deepEqual(owned("extensions/v1beta1", "DaemonSet"), {
      ...identity,
      "k8s.daemonset.name": "w",
      "k8s.daemonset.uid": "o",
    });
  });

  test("kinds of other API groups have no workload attributes", () => {
    assert.deepEqual(owned("apps.kruise.io/v1beta1", "StatefulSet"), identity);
    assert.deepEqual(owned("batch.volcano.sh/v1alpha1", "Job"), identity);
    assert.deepEqual(owned("example.com/v1", "Workflow"), identity);
  });
});

describe("images", () => {
  const DIGEST = `sha256:${ID}`;
  for (const [image, imageID, expected] of [
    ["nginx", "", { "container.image.name": "nginx" }],
    ["docker.io/library/nginx:1.25", DIGEST, { name: "docker.io/library/nginx", tags: ["1.25"], id: DIGEST }],
    ["localhost:5000/nginx", "", { "container.image.name": "localhost:5000/nginx" }],
    [`quay.io/a/b:v1@${DIGEST}`, `quay.io/a/b@${DIGEST}`, { name: "quay.io/a/b", tags: ["v1"] }],
    [`quay.io/a/b@${DIGEST}`, `docker-pullable://quay.io/a/b@${DIGEST}`, { name: "quay.io/a/b" }],
    [DIGEST, DIGEST, { id: DIGEST }],
    [ID, `docker://${DIGEST}`, { id: DIGEST }],
    ["", "", {}],
  ] as const) {
    test(`${image === "" ? "none" : image.slice(0, 40)}, ${imageID.slice(0, 20)}`, () => {
      const attributes = attributesOf(made(web), { ...container, image, imageID });
      const told = Object.entries(attributes).filter(([name]) => name.startsWith("container.image."));
      const full = Object.entries(expected).map(([name, value]) => [
        name.startsWith("container.") ? name : `container.image.${name}`,
        value,
      ]);
      if (imageID.includes("@")) full.push(["container.image.repo_digests", [`quay.io/a/b@${DIGEST}`]]);
      assert.deepEqual(Object.fromEntries(told), Object.fromEntries(full));
    });
  }
});

test("an image pinned by digest has the name in the pod spec", () => {
  const digest = `sha256:${ID}`;
  const spec = { nodeName: "node-a", containers: [{ name: "app", image: `quay.io/a/b@${digest}` }] };
  const attributes = attributesOf(made({ ...web, spec }), {
    ...container,
    image: digest,
    imageID: `quay.io/a/b@${digest}`,
  });
  assert.equal(attributes["container.image.name"], "quay.io/a/b");
  assert.deepEqual(attributes["container.image.repo_digests"], [`quay.io/a/b@${digest}`]);
});

test("rejects a value that is not a ContainerRun and names the correct argument", () => {
  const [first] = sampleNode();
  const [of] = containersOf(made(first ?? {}));
  assert.throws(() => attributesOf(made(web), of as never), {
    code: "invalid-argument",
    message: /container must be a ContainerRun; pass `run` of a row of containersOf\(pod\)/,
  });
});

describe("service attributes", () => {
  const serviceOf = (pod: PodJson, of?: ContainerRun) => {
    const attributes = Object.entries(attributesOf(made(pod), of, { service: true }));
    return Object.fromEntries(
      attributes.flatMap(([name, value]) => (name.startsWith("service.") ? [[name.slice(8), value]] : [])),
    );
  };
  const { metadata } = web;
  const bare = { ...web, metadata: { ...metadata, labels: { "pod-template-hash": "6bf9d8c7d5" } } };
  const instance = { "instance.id": "shop.web-6bf9d8c7d5-hq6rn.app" };

  test("default to the workload, the namespace and the image tag", () => {
    assert.deepEqual(serviceOf(bare), { name: "web", namespace: "shop" });
    assert.deepEqual(serviceOf(bare, container), { name: "web", namespace: "shop", version: "1.25.3", ...instance });
    const lone = { ...bare, metadata: { ...bare.metadata, ownerReferences: [] } };
    assert.deepEqual(serviceOf(lone), { name: "web-6bf9d8c7d5-hq6rn", namespace: "shop" });
  });

  test("prefer annotations, then labels", () => {
    const labels = { "app.kubernetes.io/name": "web", "app.kubernetes.io/version": "2" };
    const labelled = { ...bare, metadata: { ...bare.metadata, labels } };
    assert.deepEqual(serviceOf(labelled, container), { name: "web", namespace: "shop", version: "2", ...instance });
    const more = { ...labels, "app.kubernetes.io/instance": "web-eu" };
    assert.equal(serviceOf({ ...bare, metadata: { ...bare.metadata, labels: more } })["name"], "web-eu");
    const annotations = Object.fromEntries(
      Object.values(SERVICE).map((name) => [`resource.opentelemetry.io/${name}`, `own ${name}`]),
    );
    assert.deepEqual(serviceOf({ ...labelled, metadata: { ...labelled.metadata, annotations } }, container), {
      name: "own service.name",
      namespace: "own service.namespace",
      version: "own service.version",
      "instance.id": "own service.instance.id",
    });
  });

  test("use the tag and digest of the image in the pod spec", () => {
    const digest = `sha256:${ID}`;
    const version = (image: string) =>
      serviceOf({ ...bare, spec: { containers: [{ name: "app", image }] } }, container)["version"];
    assert.deepEqual(["a/b", "a/b:1", `a/b@${digest}`, `a/b:1@${digest}`, "host:5000/a"].map(version), [
      undefined,
      "1",
      digest,
      `1@${digest}`,
      undefined,
    ]);
  });

  test("are omitted by default", () => {
    assert.deepEqual(
      Object.keys(attributesOf(made(web), container)).filter((name) => name.startsWith("service.")),
      [],
    );
  });
});

test("omits attributes outside the mask, and attributesMask selects all of them", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const [few] = await pods.listPods({ mask: podMasks.identity });
  assert.ok(few);
  assert.deepEqual(Object.keys(attributesOf(few)).sort(), ["k8s.namespace.name", "k8s.pod.name", "k8s.pod.uid"]);
  const whole = new Map((await pods.listPods()).map((pod) => [pod.metadata.uid, pod]));
  const options = { labels: (key: string) => `l.${key}`, annotations: (key: string) => `a.${key}` };
  for (const pod of await pods.listPods({ mask: attributesMask })) {
    const full = whole.get(pod.metadata.uid);
    assert.ok(full);
    assert.deepEqual(attributesOf(pod, undefined, options), attributesOf(full, undefined, options));
  }
  // @ts-expect-error: a pod whose mask lacks its identity
  attributesOf((await pods.listPods({ mask: ["metadata.name"] }))[0]);
});

test("the sample node's pods have no empty attribute", async (t) => {
  const { pods } = await kubeletAndClient(t, { pods: sampleNode() });
  await using informer = pods.informer();
  await informer.synced();
  for (const pod of informer.list()) {
    for (const status of pod.status.containerStatuses) {
      const { containerID } = status;
      const container = containerID === "" ? undefined : informer.find({ containerID }).container;
      for (const [name, value] of Object.entries(attributesOf(pod, container))) assert.notEqual(value, "", name);
    }
  }
});
