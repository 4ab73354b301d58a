import { splitID } from "../pod/container-instance.js";
import { addressOf } from "./address.js";

/**
 * Something that means a pod, and perhaps one of its containers: what parsers return is what lookups take. Of several fields the
 * most exact decides: `uid`, then `containerID`, then `namespace` and `name`, then `ip`. A container's ID or name beside them says
 * which of that pod's containers is meant.
 */
export type PodKey =
  | {
      readonly uid: string;
      readonly containerID?: string | undefined;
      readonly containerName?: string | undefined;
      /** The restart count of the container's life that is meant; the latest life where it is undefined. */
      readonly restartCount?: number | undefined;
    }
  | { readonly uid?: undefined; readonly containerID: string }
  | {
      readonly uid?: undefined;
      readonly containerID?: string | undefined;
      readonly namespace: string;
      readonly name: string;
      readonly containerName?: string | undefined;
      /** The restart count of the container's life that is meant; the latest life where it is undefined. */
      readonly restartCount?: number | undefined;
    }
  | {
      readonly uid?: undefined;
      readonly containerID?: undefined;
      readonly namespace?: undefined;
      /** In any spelling of IPv4 or IPv6, IPv4 within IPv6 too; a zone is ignored. */
      readonly ip: string;
    };

/** A key as indexes have it: its kind, and its text in the one spelling. */
export interface Sought {
  readonly kind: "uid" | "container" | "name" | "address";
  readonly text: string;
  /** The container of the pod that is meant. */
  readonly containerID: string | undefined;
  readonly containerName: string | undefined;
  readonly restartCount: number | undefined;
}

/** Longer than any key: UIDs have 36 characters, IDs of containers 64, a namespace and a name 317 together. */
const MAX_LENGTH = 512;

/** Returns a key as indexes have it; undefined where it can mean no pod. */
export function soughtOf(key: PodKey | undefined): Sought | undefined {
  const fields: Partial<Record<keyof Sought | "uid" | "namespace" | "name" | "ip", unknown>> = key ?? {};
  const containerID = isText(fields.containerID) ? splitID(fields.containerID)[1] : undefined;
  const within = {
    containerID,
    containerName: isText(fields.containerName) ? fields.containerName : undefined,
    restartCount: typeof fields.restartCount === "number" ? fields.restartCount : undefined,
  };
  if (fields.uid !== undefined) return isText(fields.uid) ? { kind: "uid", text: fields.uid, ...within } : undefined;
  if (fields.containerID !== undefined) {
    return isText(containerID) ? { kind: "container", text: containerID, ...within } : undefined;
  }
  const { namespace, name, ip } = fields;
  if (namespace !== undefined) {
    return isText(namespace) && isText(name) ? { kind: "name", text: `${namespace}/${name}`, ...within } : undefined;
  }
  const address = isText(ip) ? addressOf(ip) : undefined;
  return address === undefined ? undefined : { kind: "address", text: address, ...within };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_LENGTH;
}
