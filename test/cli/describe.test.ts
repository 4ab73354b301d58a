// `describe`, as a shell sees it. Its facts are judged by kubectl's own code: test/interop.

import assert from "node:assert/strict";
import { fromKubernetesJson, type PodJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { test } from "../helpers/test.js";
import { kubeletOf, ran } from "./console.js";

const pod: PodJson = {
  metadata: {
    uid: "6f6ad3a0-3f4b-4a2e-9b7c-0d1f2a3b4c5d",
    namespace: "shop",
    name: "web-6bf9d8c7d5-hq6rn",
    labels: { tier: "front", app: "web", "pod-template-hash": "6bf9d8c7d5" },
    annotations: {
      "kubernetes.io/config.seen": "2026-11-20T08:00:00Z",
      "kubernetes.io/config.source": "api",
      note: "two\nlines\n",
      plain: "text",
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
    },
    ownerReferences: [
      { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-6bf9d8c7d5", uid: "r", controller: true },
    ],
  },
  spec: {
    nodeName: "node-1",
    initContainers: [{ name: "proxy", image: "proxy:1", restartPolicy: "Always" }],
    containers: [
      {
        name: "app",
        image: "app:1",
        command: ["sh", "-c", "a\nb"],
        ports: [{ containerPort: 8080, protocol: "TCP", name: "http" }],
        resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "64Mi" } },
        readinessProbe: { httpGet: { scheme: "HTTP", port: "http", path: "/ready?x=1" }, periodSeconds: 10 },
        env: [
          { name: "PLAIN", value: "x" },
          { name: "SECRET", valueFrom: { secretKeyRef: { name: "keys", key: "token" } } },
          { name: "NODE", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "spec.nodeName" } } },
        ],
        volumeMounts: [
          { name: "data", mountPath: "/data", subPath: "web" },
          { name: "conf", mountPath: "/conf", readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: "data", hostPath: { path: "/srv", type: "" } },
      { name: "conf", configMap: { name: "web" } },
      { name: "token", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3607 } }] } },
    ],
    tolerations: [
      { operator: "Exists" },
      { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 },
    ],
  },
  status: {
    phase: "Running",
    qosClass: "Burstable",
    hostIP: "10.0.0.1",
    podIP: "10.1.0.9",
    podIPs: [{ ip: "10.1.0.9" }],
    conditions: [
      {
        type: "Ready",
        status: "False",
        reason: "ContainersNotReady",
        message: "no [app]",
        lastTransitionTime: "2020-01-01T00:00:00Z",
      },
    ],
    containerStatuses: [
      {
        name: "app",
        restartCount: 3,
        containerID: "containerd://abc",
        state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s" } },
        lastState: { terminated: { exitCode: 137, signal: 9, reason: "OOMKilled", message: "\u001b[2J" } },
      },
    ],
  },
};

test("containers, states, conditions, volumes and class of a pod", async (t) => {
  const { code, output, errors } = await ran(await kubeletOf(t, [pod]), ["describe", "shop/web-6bf9d8c7d5-hq6rn"]);
  assert.deepEqual([code, errors], [0, ""]);
  const zero = "Mon, 01 Jan 0001 00:00:00 +0000";
  const age = /Ready {2}False {3}(\S+)/.exec(output)?.[1] ?? "";
  assert.equal(
    output,
    `Name:            web-6bf9d8c7d5-hq6rn
Namespace:       shop
UID:             6f6ad3a0-3f4b-4a2e-9b7c-0d1f2a3b4c5d
Node:            node-1/10.0.0.1
Labels:          app=web
                 pod-template-hash=6bf9d8c7d5
                 tier=front
Annotations:     kubernetes.io/config.seen: 2026-11-20T08:00:00Z
                 kubernetes.io/config.source: api
                 note:
                   two
                   lines
                 plain: text
Status:          Running
IP:              10.1.0.9
IPs:
  IP:  10.1.0.9
Controlled By:   ReplicaSet/web-6bf9d8c7d5
Workload:        Deployment/web
Init Containers:
  proxy:
    Image:           proxy:1
    Port:            <none>
    Host Port:       <none>
    Restart Policy:  Always
    Environment:     <none>
    Mounts:          <none>
Containers:
  app:
    Container ID:   containerd://abc
    Image:          app:1
    Port:           8080/TCP (http)
    Host Port:      0/TCP (http)
    Command:
      sh
      -c
      a
      b
    State:          Waiting
      Reason:   CrashLoopBackOff
      Message:  back-off 40s
    Last State:     Terminated
      Reason:     OOMKilled
      Message:    \\u001b[2J
      Exit Code:  137
      Signal:     9
      Started:    ${zero}
      Finished:   ${zero}
    Ready:          False
    Restart Count:  3
    Limits:
      memory:  64Mi
    Requests:
      cpu:     100m
      memory:  64Mi
    Readiness:      http-get http://:http/ready%3Fx=1 delay=0s timeout=0s period=10s successThreshold=0 failureThreshold=0
    Environment:
      PLAIN:   x
      SECRET:  <set to the key 'token' in secret 'keys'>  Optional: false
      NODE:    (v1:spec.nodeName)
    Mounts:
      /conf from conf (ro)
      /data from data (rw,path="web")
Conditions:
  Type   Status  ${"Age".padEnd(age.length)}  Reason              Message
  Ready  False   ${age}  ContainersNotReady  no [app]
Volumes:
  data:
    Type:  HostPath
    Path:  /srv
  conf:
    Type:  ConfigMap
    Name:  web
  token:
    Type:                    Projected
    TokenExpirationSeconds:  3607
QoS Class:       Burstable
Node-Selectors:  <none>
Tolerations:     op=Exists
                 a:NoExecute op=Exists for 300s
`,
  );
});

test("probes of several lines and without a slash, and the owner of a mirror pod, as kubectl writes them", async (t) => {
  const containers = [
    {
      name: "app",
      livenessProbe: { exec: { command: ["sh", "-c", "test -e /a &&\ntest -e /b"] } },
      startupProbe: { httpGet: { scheme: "HTTPS", port: 8443, path: "healthz" } },
    },
  ];
  const ownerReferences = [{ apiVersion: "v1", kind: "Node", name: "node-1", uid: "n", controller: true }];
  const socket = await kubeletOf(t, [
    { metadata: { uid: "u", name: "a", namespace: "b", ownerReferences }, spec: { containers } },
  ]);
  const { lines } = await ran(socket, ["describe", "a"]);
  const times = "delay=0s timeout=0s period=0s successThreshold=0 failureThreshold=0";
  const at = lines.findIndex((line) => line.includes("Liveness:"));
  assert.deepEqual(
    lines.slice(at, at + 3).map((line) => line.trim().replace(/: +/, ": ")),
    ["Liveness: exec [sh -c test -e /a &&", `test -e /b] ${times}`, `Startup: http-get https://:8443/healthz ${times}`],
  );
  assert.ok(lines.some((line) => /^Controlled By: +Node\/node-1$/.test(line)));
});

test("an enormous pod is described, and hides no other", async (t) => {
  const env = Array.from({ length: 150_000 }, () => ({ name: "a" }));
  const conditions = Array.from({ length: 5_000 }, (_, i) => ({
    type: `t${i}`,
    status: "True",
    reason: i === 0 ? "r".repeat(500_000) : "",
  }));
  const huge = {
    metadata: { uid: "h", namespace: "a", name: "huge" },
    spec: { containers: [{ name: "c", env }] },
    status: { conditions },
  };
  const kubelet = await kubeletOf(t, [huge, ...sampleNode()]);
  const { code, output } = await ran(kubelet, ["describe", "-A"]);
  assert.equal(code, 0);
  assert.equal([...output.matchAll(/^Name: /gm)].length, sampleNode().length + 1);
  assert.ok(output.length < 10_000_000);
});

test("a pod that cannot be written is left out, and named", async (t) => {
  const bad = fromKubernetesJson({
    metadata: { uid: "b", namespace: "a", name: "bad", creationTimestamp: "2026-01-01T00:00:00Z" },
  });
  if (bad.metadata.creationTimestamp) bad.metadata.creationTimestamp.seconds = 300_000_000_000n;
  const kubelet = await kubeletOf(t);
  kubelet.addPod(bad);
  const { code, output, errors } = await ran(kubelet, ["describe", "-A"]);
  assert.equal(code, 1);
  assert.match(errors, /^kubelet-pods describe: a\/bad is left out: corrupt: /);
  assert.equal([...output.matchAll(/^Name: /gm)].length, sampleNode().length);
});

test("several pods, and none", async (t) => {
  const kubelet = await kubeletOf(t);
  const { output } = await ran(kubelet, ["describe", "-n", "shop", "-l", "app in (web, ledger)"]);
  assert.deepEqual(
    [...output.matchAll(/^Name: +(\S+)$/gm)].map((match) => match[1]).sort(),
    sampleNode()
      .flatMap(({ metadata }) => (/^(web|ledger)$/.test(metadata?.labels?.["app"] ?? "") ? [metadata?.name] : []))
      .sort(),
  );
  assert.match(output, /\n\n\nName: /, "two empty lines between them, as with kubectl");
  const missing = await ran(kubelet, ["describe", "nobody"]);
  assert.deepEqual([missing.code, missing.errors], [1, "kubelet-pods describe: there is no pod nobody on this node\n"]);
  const all = await ran(kubelet, ["describe"]);
  assert.equal(all.code, 2);
  assert.match(all.errors, /which pods\? give names, -n, -l, or -A for all/);
});

test("a pod that is to go says for how long, and a static one that it is static", async (t) => {
  const kubelet = await kubeletOf(t);
  kubelet.deletePod(sampleNode().find(({ metadata }) => metadata?.name === "ledger-1")?.metadata?.uid ?? "");
  const { output } = await ran(kubelet, ["describe", "ledger-1", "etcd-node-1"]);
  assert.match(output, /^Status: +Terminating \(lasts \S+\)\nTermination Grace Period: +30s$/m);
  assert.match(output, /^Static: +True$/m);
});
