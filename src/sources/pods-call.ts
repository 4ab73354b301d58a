import { PodsError } from "../errors/pods-error.js";
import { MAX_PODS, tooManyPods } from "../pod/limits.js";
import { delimited } from "../pod/writer.js";
import { FieldCounter, splitRepeated } from "../wire/repeated-bytes.js";
import type { Connection } from "../wire/session.js";
import { sendUnary, type UnaryAnswer, type UnaryRequest } from "../wire/unary-call.js";
import type { ApiVersion } from "./api-versions.js";

/** Options of a call of the Pods API. */
export type PodsCallOptions = Pick<UnaryRequest, "headers" | "signal" | "timeoutMs" | "maxBytes">;

/** An answer: serialized pods, which are views of one buffer, and the answer's headers. */
export interface PodsAnswer extends Pick<UnaryAnswer, "headers"> {
  readonly pods: Uint8Array[];
}

/**
 * Calls ListPods. Pods are counted while they come: more than any node has are refused before anything is made of them.
 *
 * @throws ConnectError, PodsError `too-large` and `corrupt`, or the signal's reason.
 */
export function listPods(
  connection: Connection,
  { service }: ApiVersion,
  options: PodsCallOptions,
): Promise<PodsAnswer> {
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
): Promise<UnaryAnswer> {
  const message = delimited(POD_UID, Buffer.from(podUID));
  const { pods, headers } = await call(connection, "GetPod", { ...options, path: `/${service}/GetPod`, message });
  return { message: pods.at(-1) ?? new Uint8Array(), headers };
}

/** The field of GetPodRequest. */
const POD_UID = 1;

async function call(connection: Connection, method: string, request: UnaryRequest): Promise<PodsAnswer> {
  const { socketPath } = connection;
  const counter = new FieldCounter();
  const inspect = (chunk: Uint8Array) => {
    counter.push(chunk);
    if (counter.count > MAX_PODS) throw tooManyPods(method, socketPath);
  };
  const { message, headers } = await sendUnary(connection, { ...request, inspect });
  let pods: Uint8Array[];
  try {
    pods = splitRepeated(message, MAX_PODS);
  } catch (cause) {
    throw new PodsError({ code: "corrupt", message: "the answer cannot be read", method, socketPath, cause });
  }
  if (pods.length > MAX_PODS) throw tooManyPods(method, socketPath);
  return { pods, headers };
}
