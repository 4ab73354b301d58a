import assert from "node:assert/strict";
import { endpointsOf, fromKubernetesJson, type Pod, type PodEndpoint, podMasks } from "../../src/index.js";
import { decodePod } from "../../src/pod/decode.js";
import { maskedPod } from "../../src/testing/index.js";
import { describe, test } from "../helpers/test.js";

const ready = [{ type: "Ready", status: "True" }];

/** A pod with ports of two containers, of a sidecar and of an init container. */
function podOf(more: { metadata?: object; spec?: object; status?: object } = {}): Pod {
  return fromKubernetesJson({
    metadata: { uid: "u", ...more.metadata },
    spec: {
      initContainers: [
        { name: "setup", ports: [{ name: "once", containerPort: 1 }] },
        { name: "mesh", restartPolicy: "Always", ports: [{ name: "admin", containerPort: 15_000, protocol: "TCP" }] },
      ],
      containers: [
        { name: "web", ports: [{ name: "http", containerPort: 8_080, protocol: "TCP" }, { containerPort: 9_000 }] },
        {
          name: "dns",
          ports: [
            { name: "dns", containerPort: 53, protocol: "UDP" },
            { name: "dns", containerPort: 5_353, protocol: "TCP" },
          ],
        },
      ],
      ...more.spec,
    },
    status: { phase: "Running", conditions: ready, podIP: "10.1.0.1", podIPs: [{ ip: "10.1.0.1" }], ...more.status },
  });
}

const words = (endpoints: readonly PodEndpoint[]) =>
  endpoints.map((each) => `${each.ip} ${each.port}/${each.protocol} ${each.portName || "-"} ${each.container ?? "-"}`);

describe("the ports of a pod", () => {
  test("include every declared port of containers and sidecars on every address", () => {
    const pod = podOf({ status: { podIPs: [{ ip: "10.1.0.1" }, { ip: "fd00::1" }] } });
    const ports = ["8080/TCP http web", "9000/TCP - web", "53/UDP dns dns", "5353/TCP dns dns", "15000/TCP admin mesh"];
    assert.deepEqual(
      words(endpointsOf(pod)),
      ["10.1.0.1", "fd00::1"].flatMap((ip) => ports.map((port) => `${ip} ${port}`)),
    );
  });

  test("a name selects the first port of the protocol, as in EndpointSlices", () => {
    const pod = podOf();
    assert.deepEqual(words(endpointsOf(pod, "dns")), ["10.1.0.1 53/UDP dns dns"]);
    assert.deepEqual(words(endpointsOf(pod, "dns", "TCP")), ["10.1.0.1 5353/TCP dns dns"]);
    assert.deepEqual(words(endpointsOf(pod, "admin")), ["10.1.0.1 15000/TCP admin mesh"]);
    assert.deepEqual(endpointsOf(pod, "once"), [], "ports of init containers are not endpoints");
    assert.deepEqual(endpointsOf(pod, "http", "UDP"), []);
  });

  test("a number selects a port even if it is not declared", () => {
    const pod = podOf();
    assert.deepEqual(words(endpointsOf(pod, 9_000)), ["10.1.0.1 9000/TCP - web"]);
    assert.deepEqual(words(endpointsOf(pod, 53)), ["10.1.0.1 53/UDP dns dns"]);
    assert.deepEqual(words(endpointsOf(pod, 53, "TCP")), ["10.1.0.1 53/TCP - -"]);
    assert.deepEqual(words(endpointsOf(pod, 7_777)), ["10.1.0.1 7777/TCP - -"]);
  });

  test("can be filtered by protocol", () => {
    assert.deepEqual(words(endpointsOf(podOf(), undefined, "UDP")), ["10.1.0.1 53/UDP dns dns"]);
  });

  for (const port of [0, 65_536, 80.5, Number.NaN, "", {}, null, true]) {
    test(`rejects the port ${JSON.stringify(port)}`, () => {
      assert.throws(() => endpointsOf(podOf(), port as number), { code: "invalid-argument", message: /port must be/ });
    });
  }
});

describe("an endpoint", () => {
  const conditions = (pod: Pod) => {
    const [first] = endpointsOf(pod);
    return first && [first.ready, first.serving, first.terminating];
  };

  test("is ready while Ready is True, and only serving while its pod terminates", () => {
    const deleted = { deletionTimestamp: "2026-01-01T00:00:30Z" };
    assert.deepEqual(conditions(podOf()), [true, true, false]);
    assert.deepEqual(conditions(podOf({ status: { conditions: [] } })), [false, false, false]);
    assert.deepEqual(conditions(podOf({ metadata: deleted })), [false, true, true]);
    assert.deepEqual(conditions(podOf({ metadata: deleted, status: { conditions: [] } })), [false, false, true]);
  });

  test("does not exist without an address or in a final phase", () => {
    for (const status of [{ podIP: "", podIPs: [] }, { phase: "Failed", reason: "Evicted" }, { phase: "Succeeded" }])
      assert.deepEqual(endpointsOf(podOf({ status })), []);
    assert.deepEqual(endpointsOf(decodePod(new Uint8Array())), []);
    assert.deepEqual(words(endpointsOf(podOf({ status: { podIPs: [] } }), "http")), ["10.1.0.1 8080/TCP http web"]);
  });

  test("has no readiness until a restarted kubelet has probed the pod", () => {
    const at = (secondsAgo: number, message?: string) => {
      const seen = new Date(Date.now() - secondsAgo * 1_000).toISOString();
      const annotations = { "kubernetes.io/config.seen": seen, "kubernetes.io/config.source": "file" };
      const unready = { type: "Ready", status: "False", lastTransitionTime: seen.replace(/\.\d+/, ""), message };
      const probe = { readinessProbe: { periodSeconds: 1, failureThreshold: 1, timeoutSeconds: 1 } };
      const containers = [{ name: "web", ports: [{ containerPort: 80 }], ...probe }];
      return podOf({ metadata: { annotations }, spec: { containers }, status: { conditions: [unready] } });
    };
    assert.deepEqual(conditions(at(1)), [undefined, undefined, false]);
    assert.deepEqual(conditions(at(60)), [false, false, false], "the probe has run by now");
    const deleted = at(1);
    deleted.metadata.deletionTimestamp = deleted.status.conditions[0]?.lastTransitionTime;
    assert.deepEqual(conditions(deleted), [false, undefined, true]);
  });
});

test("endpointsOf rejects a pod whose mask lacks required fields", () => {
  const identity = maskedPod(podMasks.identity, { metadata: { name: "web" } });
  assert.throws(() => endpointsOf(identity as never), { code: "invalid-argument", message: /lacks .*podIPs/ });
});
