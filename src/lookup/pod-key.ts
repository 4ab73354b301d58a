import { invalidArgument } from "../errors/pods-error.js";
import { nameOf, type Version } from "../known/version.js";
import { type ContainerRun, checkWholeID, splitID } from "../pod/container-run.js";
import type { PodHead } from "../pod/head.js";
import { printable } from "../printable.js";
import { addressOf } from "./address.js";
import { type PodKeys, runsIn } from "./pod-keys.js";

/**
 * Names a pod, and perhaps one of its containers. The parsers of paths return keys, and lookups take them. If a key has several fields, the
 * most exact one decides: `uid`, then `containerID`, `namespace` and `name`, `ip`. A container's ID or name beside
 * them chooses one of that pod's containers.
 */
export type PodKey =
  | {
      readonly uid: string;
      readonly containerID?: string | undefined;
      readonly containerName?: string | undefined;
      /** Restart count of the container run; undefined means the latest run. */
      readonly restartCount?: number | undefined;
    }
  | { readonly uid?: undefined; readonly containerID: string }
  | {
      readonly uid?: undefined;
      readonly containerID?: string | undefined;
      readonly namespace: string;
      readonly name: string;
      readonly containerName?: string | undefined;
      /** Restart count of the container run; undefined means the latest run. */
      readonly restartCount?: number | undefined;
    }
  | {
      readonly uid?: undefined;
      readonly containerID?: undefined;
      readonly namespace?: undefined;
      /** In any spelling of IPv4 or IPv6, also IPv4 within IPv6. A zone is ignored. */
      readonly ip: string;
    };

/** A key of the index: its kind, and its text in the canonical spelling. */
export interface LookupKey {
  readonly kind: KindName;
  readonly text: string;
  /** The container of the pod that the key names. */
  readonly containerID: string | undefined;
  readonly containerName: string | undefined;
  readonly restartCount: number | undefined;
}

type FieldsOf<Key> = Key extends Key ? keyof Key : never;

/** The fields that identify a pod. The other fields of a key name one of its containers. */
type KeyField = Exclude<FieldsOf<PodKey>, "containerName" | "restartCount">;

/** The fields of a key before they are checked. */
type GivenKey = { readonly [F in KeyField]?: unknown };

/** The parts of a pod that its keys are read from. */
export interface KeyedPod {
  readonly head: PodHead;
  readonly keys: PodKeys;
  /** True if its addresses are its own. The node gives the addresses of a finished pod to other pods. */
  readonly hasAddresses: boolean;
}

/** A kind of key, by which pods are found. */
export interface KeyKind {
  /** Its fields. A key is of this kind if it has the first one. */
  readonly fields: readonly [KeyField, ...KeyField[]];
  /** Returns the text of a key in the canonical spelling; undefined if no pod can have it. */
  textOf(key: GivenKey): string | undefined;
  /** The end of the message if no pod can have the key. */
  readonly expected: string;
  /** Returns the keys of this kind that a pod has. */
  keysOf(pod: KeyedPod): readonly string[];
  /** True if keys of this kind pass from pod to pod. Their owner depends on the time, and can be uncertain. */
  readonly passesOn: boolean;
  /**
   * The owner of the key. `object`: the pod's object; only lists show its removal, and no two objects have the same key at once.
   * `sandbox`: the pod's sandbox, which can end while no container is running. `container`: a container.
   */
  readonly of: "object" | "sandbox" | "container";
  /**
   * Returns the container to retain for a key that a pod has lost; undefined means that the key is forgotten. Without this function each
   * lost key is retained.
   */
  readonly lost?: (before: Version, text: string) => ContainerRun | undefined;
}

export const NONE: readonly string[] = [];

export type KindName = "uid" | "container" | "name" | "address";

/** All kinds of keys, the most exact first. If a key has fields of several kinds, the first kind decides. */
export const KINDS: Readonly<Record<KindName, KeyKind>> = {
  uid: {
    fields: ["uid"],
    textOf: ({ uid }) => textIn(uid),
    expected: "uid must be a non-empty string",
    keysOf: ({ head }) => [head.uid],
    passesOn: false,
    of: "object",
  },
  container: {
    fields: ["containerID"],
    textOf: ({ containerID }) => textIn(splitID(textIn(containerID) ?? "")[1]),
    expected: "containerID must be a non-empty string",
    keysOf: ({ keys }) => keys.containerIDs,
    passesOn: false,
    of: "container",
    lost: (before, text) => runsIn(before).find(({ containerID }) => containerID === text),
  },
  name: {
    fields: ["namespace", "name"],
    textOf({ namespace, name }) {
      return textIn(namespace) === undefined || textIn(name) === undefined ? undefined : `${namespace}/${name}`;
    },
    expected: "namespace and name must be valid Kubernetes names",
    keysOf: ({ head }) => [nameOf(head)],
    passesOn: true,
    of: "object",
  },
  address: {
    fields: ["ip"],
    textOf: ({ ip }) => addressOf(textIn(ip) ?? ""),
    expected: "ip must be an IP address, without a port",
    keysOf: ({ keys, hasAddresses }) => (hasAddresses ? keys.addresses : NONE),
    passesOn: true,
    of: "sandbox",
  },
};

export const KIND_NAMES: readonly KindName[] = Object.keys(KINDS) as KindName[];

const WANTED = "pass uid, containerID, namespace and name, or ip";

/** Returns a key as one text. */
export function keyText({ kind, text }: { readonly kind: KindName; readonly text: string }): string {
  return `${kind} ${text}`;
}

/** Longer than any key: UIDs have 36 characters, container IDs 64, a namespace and a name 317 together. */
const MAX_KEY = 512;

/** Returns the value if it is a text that can be a key or a part of one; otherwise undefined. */
function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_KEY ? value : undefined;
}

/** The fields of keys, and those that the parsers of paths and {@link selfIdentity} return beside them. */
const FIELDS: ReadonlySet<string> = new Set<string>([
  ...KIND_NAMES.flatMap((kind) => KINDS[kind].fields),
  ...["containerName", "restartCount", "rotated", "plugin", "volumeName", "nodeName", "from"],
]);

/** Returns a text that says what is wrong with a key of no kind. */
function whyNone(key: object): string {
  const given = Object.entries(key).find(([field]) => KIND_NAMES.some((kind) => has(KINDS[kind].fields, field)));
  if (given === undefined) return "the key names no pod";
  const [field, value] = given;
  if (value === undefined) return `${field} is undefined`;
  const [first] = KINDS[KIND_NAMES.find((kind) => has(KINDS[kind].fields, field)) as KindName].fields;
  return `the key has a ${field} without a ${first}`;
}

function has(fields: readonly string[], field: string): boolean {
  return fields.includes(field);
}

/** Returns a key as the index has it. @throws PodsError `invalid-argument` if no pod can have it. */
export function lookupKeyOf(key: PodKey | undefined, where: string): LookupKey {
  const fields: GivenKey & { readonly containerName?: unknown; readonly restartCount?: unknown } = (key ??
    {}) as object;
  const { containerID, containerName, restartCount } = fields;
  if (typeof key === "string")
    throw invalidArgument(`${where}: the key must be an object`, "such as { ip }, { uid } or { containerID }");
  if (Object.hasOwn(fields, "at"))
    throw invalidArgument(`${where}: the key must not contain "at"`, "pass it as an option: (key, { at })");
  const unknown = Object.keys(fields).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) {
    const what = `${where}: the key has the unknown field ${printable(unknown, 50)}`;
    throw invalidArgument(what, WANTED);
  }
  const kind = KIND_NAMES.find((name) => fields[KINDS[name].fields[0]] !== undefined);
  const text = kind && KINDS[kind].textOf(fields);
  if (kind === undefined || text === undefined) {
    const why = `${where}: ${kind === undefined ? whyNone(fields) : KINDS[kind].expected}`;
    throw invalidArgument(why, WANTED);
  }
  if (kind === "container") checkWholeID(text, `${where}: containerID`);
  return {
    kind,
    text,
    containerID: textIn(containerID) && splitID(String(containerID))[1],
    containerName: textIn(containerName),
    restartCount: typeof restartCount === "number" ? restartCount : undefined,
  };
}
