import { PodsError } from "../errors/pods-error.js";
import { MAX_PODS, tooManyPods } from "../pod/limits.js";
import { delimited } from "../protobuf/writer.js";
import type { Connection } from "../wire/connection.js";
import type { GrpcRequest } from "../wire/grpc-request.js";
import { splitRepeated } from "../wire/repeated-bytes.js";
import { sendUnary } from "../wire/unary-call.js";
import type { ApiVersion } from "./api-versions.js";

export type PodsCallOptions = Pick<GrpcRequest, "headers" | "signal" | "timeoutMs" | "onBytes" | "maxBytes">;

/**
 * Calls ListPods. Returns serialized pods, which are views of the received bytes. An answer with more pods than any node has is refused before the pods are read.
 *
 * @throws GrpcError; PodsError `too-large` or `corrupt`; the signal's reason.
 */
export function listPods(
  connection: Connection,
  { service }: ApiVersion,
  options: PodsCallOptions,
): Promise<Uint8Array[]> {
  return call(connection, "ListPods", { ...options, path: `/${service}/ListPods`, message: new Uint8Array() });
}

/**
 * Calls GetPod.
 *
 * @throws as {@link listPods}.
 */
export async function getPod(
  connection: Connection,
  { service }: ApiVersion,
  podUID: string,
  options: PodsCallOptions,
): Promise<Uint8Array> {
  const message = delimited(POD_UID, Buffer.from(podUID));
  const pods = await call(connection, "GetPod", { ...options, path: `/${service}/GetPod`, message });
  return pods.at(-1) ?? new Uint8Array();
}

/** Number of the UID field of GetPodRequest. */
const POD_UID = 1;

async function call(connection: Connection, method: string, request: GrpcRequest): Promise<Uint8Array[]> {
  const { socketPath } = connection;
  const message = await sendUnary(connection, request);
  let pods: Uint8Array[];
  try {
    pods = splitRepeated(message, MAX_PODS);
  } catch (cause) {
    throw new PodsError({ code: "corrupt", message: "the answer cannot be read", method, socketPath, cause });
  }
  if (pods.length > MAX_PODS) throw tooManyPods(method, socketPath);
  return pods;
}
