// What is on the wire, as lines that a scenario can expect.

import { fromBinary } from "@bufbuild/protobuf";
import { type RawAnswer, RawClient } from "../../src/conformance/raw-client.js";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";

export class Wire implements AsyncDisposable {
  readonly #client: RawClient;

  constructor(socketPath: string) {
    this.#client = new RawClient({ socketPath });
  }

  async list(headers: Record<string, string> = {}): Promise<string[]> {
    return lines(await this.#client.list(headers), (pods) => pods.map(podLine));
  }

  async get(uid: string): Promise<string[]> {
    return lines(await this.#client.get(uid), (pod) => [podLine(pod)]);
  }

  /** Calls a method by name: `v1alpha1.Pods/ListPods`. */
  async call(path: string): Promise<string[]> {
    const [service = "", name = ""] = path.split("/");
    return lines(await this.#client.call(service, name), () => ["OK"]);
  }

  /** A watch, line by line; its last line is how it ended. */
  async *watch(headers: Record<string, string> = {}, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
    for await (const event of this.#client.watch({ headers, ...(signal && { signal }) })) {
      if (!("pod" in event)) yield failure(event);
      else yield event.pod.length === 0 ? event.type : `${event.type} ${podLine(event.pod)}`;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]();
  }
}

function lines<T>(answer: RawAnswer<T>, read: (value: T) => string[]): string[] {
  return answer.ok ? read(answer.value) : [failure(answer)];
}

/** The server's code and text; what has none of its own is in brackets. */
function failure({ code, text }: { code: string; text: string }): string {
  if (code === "OK") return code;
  return text === "" ? `(${code})` : `${code}: ${text}`;
}

/** The message of a pod that this process has not looked at (pkg/kubelet/apis/pods/server.go). */
const UNVERIFIED = "Kubelet is initializing pod containers";

function podLine(bytes: Uint8Array): string {
  return lineOf(fromBinary(PodSchema, bytes));
}

/** A pod's name, phase, readiness, containers, labels, requests, and what else the contract is about. */
function lineOf({ metadata, spec, status }: Pod): string {
  const ready = status?.conditions.find(({ type }) => type === "Ready");
  const cpu = spec?.containers[0]?.resources?.requests["cpu"]?.string;
  const parts = [
    metadata?.name ?? "",
    status?.phase === "" ? "-" : `${status?.phase ?? "-"}${status?.reason ? `/${status.reason}` : ""}`,
    ready === undefined ? "" : `Ready=${ready.status}${ready.message === UNVERIFIED ? "/unverified" : ""}`,
    ...(status?.containerStatuses.map(({ state, restartCount }) => {
      const kind = state?.running ? "running" : state?.terminated ? "terminated" : "waiting";
      return restartCount > 0 ? `${kind}/${restartCount}` : kind;
    }) ?? []),
    ...Object.values(metadata?.labels ?? {}).map((label) => `#${label}`),
    cpu === undefined || cpu === "100m" ? "" : `cpu=${cpu}`,
    metadata?.deletionTimestamp === undefined ? "" : "deleting",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
