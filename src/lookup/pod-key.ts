import { invalidArgument } from "../errors/pods-error.js";
import { splitID } from "../pod/container-instance.js";
import { KIND_NAMES, KINDS, type KindName, textIn } from "./key-kind.js";

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
  readonly kind: KindName;
  readonly text: string;
  /** The container of the pod that is meant. */
  readonly containerID: string | undefined;
  readonly containerName: string | undefined;
  readonly restartCount: number | undefined;
}

/** Returns a key as indexes have it. @throws PodsError `invalid-argument` where it can mean no pod. */
export function soughtOf(key: PodKey | undefined, where: string): Sought {
  const fields: Partial<Record<"uid" | "containerID" | "containerName" | "restartCount", unknown>> = key ?? {};
  const { containerID, containerName, restartCount } = fields;
  const kind = KIND_NAMES.find((name) => KINDS[name].isGiven(fields));
  const text = kind && KINDS[kind].textOf(fields);
  if (kind === undefined || text === undefined) {
    throw invalidArgument(`${where}: the key can mean no pod: give uid, containerID, namespace and name, or ip`);
  }
  return {
    kind,
    text,
    containerID: textIn(containerID) && splitID(String(containerID))[1],
    containerName: textIn(containerName),
    restartCount: typeof restartCount === "number" ? restartCount : undefined,
  };
}
