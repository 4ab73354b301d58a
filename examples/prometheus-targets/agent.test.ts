// node --import tsx --test examples/prometheus-targets/agent.test.ts

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { ReferenceKubelet, type ReferenceKubeletOptions } from "kubelet-pods/testing";
import { targetsServer } from "./agent.js";
import type { TargetGroup } from "./targets.js";

const UID = "2c4d8b1e-0000-4000-8000-000000000001";
const pod = {
  metadata: {
    uid: UID,
    namespace: "shop",
    name: "web-0",
    labels: { "app.kubernetes.io/name": "web" },
    annotations: { "prometheus.io/scrape": "true" },
    ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "web", uid: "set", controller: true }],
  },
  spec: {
    nodeName: "node-1",
    containers: [
      {
        name: "app",
        image: "app:1",
        ports: [
          { name: "http", containerPort: 8080, protocol: "TCP" },
          { containerPort: 9090, protocol: "TCP" },
        ],
      },
      { name: "log", image: "log:1" },
    ],
  },
};

async function started(t: TestContext, options: ReferenceKubeletOptions = {}) {
  const kubelet = await ReferenceKubelet.start({ pods: [pod], ...options });
  const stop = new AbortController();
  const server = targetsServer({ socketPath: kubelet.socketPath, signal: stop.signal });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    stop.abort();
    await kubelet.close();
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  /** Asks again until there are so many targets. */
  const targets = async (count: number): Promise<TargetGroup[]> => {
    for (;;) {
      const response = await get("/targets");
      const groups = response.ok ? ((await response.json()) as TargetGroup[]) : undefined;
      if (groups?.length === count) return groups;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { kubelet, get, targets };
}

test("a target for each port, one for a container without ports, with the labels of Prometheus' own discovery", async (t) => {
  const { kubelet, targets } = await started(t);
  const [app] = kubelet.startPod(UID, { ip: "10.1.0.9" });
  const groups = await targets(3);
  assert.deepEqual(
    groups.map(({ targets }) => targets),
    [["10.1.0.9:8080"], ["10.1.0.9:9090"], ["10.1.0.9"]],
  );
  assert.deepEqual(groups[0]?.labels, {
    __meta_kubernetes_namespace: "shop",
    __meta_kubernetes_pod_name: "web-0",
    __meta_kubernetes_pod_uid: UID,
    __meta_kubernetes_pod_ip: "10.1.0.9",
    __meta_kubernetes_pod_host_ip: groups[0]?.labels["__meta_kubernetes_pod_host_ip"],
    __meta_kubernetes_pod_node_name: "node-1",
    __meta_kubernetes_pod_phase: "Running",
    __meta_kubernetes_pod_ready: "true",
    __meta_kubernetes_pod_label_app_kubernetes_io_name: "web",
    __meta_kubernetes_pod_labelpresent_app_kubernetes_io_name: "true",
    __meta_kubernetes_pod_annotation_prometheus_io_scrape: "true",
    __meta_kubernetes_pod_annotationpresent_prometheus_io_scrape: "true",
    __meta_kubernetes_pod_controller_kind: "StatefulSet",
    __meta_kubernetes_pod_controller_name: "web",
    __meta_kubernetes_pod_container_name: "app",
    __meta_kubernetes_pod_container_image: "app:1",
    __meta_kubernetes_pod_container_id: `containerd://${app?.containerID}`,
    __meta_kubernetes_pod_container_init: "false",
    __meta_kubernetes_pod_container_port_name: "http",
    __meta_kubernetes_pod_container_port_number: "8080",
    __meta_kubernetes_pod_container_port_protocol: "TCP",
  });
});

test("terminating and finished pods are no targets", async (t) => {
  const { kubelet, targets } = await started(t);
  kubelet.startPod(UID, { ip: "10.1.0.9" });
  await targets(3);
  kubelet.deletePod(UID);
  await targets(0);
  kubelet.finishPod(UID);
  await targets(0);
});

test("it refuses until it knows the pods, is alive all the time, and goes on while the kubelet is away", async (t) => {
  const { kubelet, get, targets } = await started(t, { initializing: true });
  assert.deepEqual(
    [(await get("/targets")).status, (await get("/readyz")).status, (await get("/healthz")).status],
    [503, 503, 200],
  );
  kubelet.setInitializing(false);
  kubelet.startPod(UID, { ip: "10.1.0.9" });
  await targets(3);
  void kubelet.restart({ downtimeMs: 60_000 });
  for (;;) {
    const response = await get("/readyz");
    assert.equal(response.status, 200);
    if ((await response.text()).startsWith("stale")) break;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.equal((await targets(3)).length, 3);
  assert.equal((await get("/else")).status, 404);
});
