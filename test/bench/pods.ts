// The pods of benchmarks.

import { create, toBinary } from "@bufbuild/protobuf";
import { EnvVarSchema, type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { sampleNode } from "../../src/testing/index.js";
import { podLists } from "../helpers/fixtures.js";

/** A running pod of about `bytes` bytes. Environment variables fill it up, as they do on real nodes. */
export function podOfSize(bytes: number, index = 0): Pod {
  const json = sampleNode().find((p) => p.metadata?.name?.startsWith("web-"));
  const pod = fromKubernetesJson(json ?? {});
  Object.assign(pod.metadata ?? {}, { uid: uidOf(index), name: `bench-${index}` });
  const env = pod.spec?.containers[0]?.env;
  const missing = Math.max(0, bytes - toBinary(PodSchema, pod).length);
  for (let i = 0; i < missing / ENV_BYTES; i++) {
    env?.push(create(EnvVarSchema, { name: `SETTING_${i}`, value: `value-${i}-of-pod-${index}-`.padEnd(60, "x") }));
  }
  return pod;
}

/** Bytes of one variable on the wire. */
const ENV_BYTES = 78;

/** The pod that firehose adds or changes last. */
export const LAST_POD = 999_999;

/** Its size; all other pods are larger. */
export function lastPod(state: string): Pod {
  const metadata = { uid: uidOf(LAST_POD), namespace: "bench", name: "last", labels: { state } };
  return fromKubernetesJson({ metadata, spec: { containers: [] }, status: { phase: "Running" } });
}

/** Returns `count` renamed pods of recorded kubelets, if test/fixtures or ../shared has them, and otherwise of the sample node. */
export function nodeOf(count: number): Pod[] {
  const real = podLists().flatMap(({ name, pods }) => (name.startsWith("go-") ? [] : pods));
  const jsons = real.length > 0 ? real : sampleNode();
  const running = jsons.filter(({ status }) => status?.phase === "Running");
  return Array.from({ length: count }, (_, i) => {
    const pod = fromKubernetesJson(running[i % running.length] ?? {}, { allowUnknownKeys: true });
    const address = `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
    Object.assign(pod.metadata ?? {}, { uid: uidOf(i), namespace: "bench", name: `${pod.metadata?.name}-${i}` });
    const { status } = pod;
    if (status?.podIPs[0] !== undefined) status.podIP = status.podIPs[0].ip = address;
    return pod;
  });
}

export function uidOf(index: number): string {
  return `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

/** Returns the pod with another resource version, restart count and label. */
export function inState(pod: Pod, state: number | string): Uint8Array<ArrayBuffer> {
  if (pod.metadata !== undefined) {
    pod.metadata.labels["state"] = String(state);
    pod.metadata.resourceVersion = String(state);
  }
  const container = pod.status?.containerStatuses[0];
  if (container !== undefined) container.restartCount = Number(state) & 0xffff;
  return toBinary(PodSchema, pod);
}
