import type { Entry } from "../known/entry.js";
import { type ContainerInstance, splitID } from "../pod/container-instance.js";
import { addressOf } from "./address.js";
import { instancesIn, type PodKeys } from "./pod-keys.js";

/** The fields of a key, as strangers give them. */
type GivenKey = { readonly [F in "uid" | "containerID" | "namespace" | "name" | "ip"]?: unknown };

/** A pod, as far as its keys are read from it. */
export interface KeyedPod {
  readonly uid: string;
  /** The namespace and the name, with a slash between them. */
  readonly name: string;
  readonly keys: PodKeys;
  /** Whether its addresses are its own: the node gives those of a finished pod to others. */
  readonly hasAddresses: boolean;
}

/** A kind of key, by which pods are found. */
export interface KeyKind {
  /** Returns whether a key is of this kind, whatever it says. */
  isGiven(key: GivenKey): boolean;
  /** Returns the text of a key in the one spelling; undefined where it can mean no pod. */
  textOf(key: GivenKey): string | undefined;
  /** Returns the keys of this kind that a pod has. */
  keysOf(pod: KeyedPod): readonly string[];
  /** Whether it passes from pod to pod: whose it was is a matter of time then, and may be in doubt. */
  readonly passesOn: boolean;
  /**
   * Says whose it is: the pod's object's (lists alone tell when that goes, and never have two objects the same), its sandbox's (which may
   * end while no container runs), or a container's.
   */
  readonly of: "object" | "sandbox" | "container";
  /** Returns what is retained of a key that a pod has lost; what is undefined is forgotten. All is retained where this is left out. */
  readonly lost?: (before: Entry, text: string) => ContainerInstance | undefined;
}

const NONE: readonly string[] = [];

/** The names of the kinds of keys. */
export type KindName = "uid" | "container" | "name" | "address";

/** All kinds of keys, the most exact first: of several fields of a key that one decides. */
export const KINDS: Readonly<Record<KindName, KeyKind>> = {
  uid: {
    isGiven: ({ uid }) => uid !== undefined,
    textOf: ({ uid }) => textIn(uid),
    keysOf: ({ uid }) => [uid],
    passesOn: false,
    of: "object",
  },
  container: {
    isGiven: ({ containerID }) => containerID !== undefined,
    textOf: ({ containerID }) => textIn(splitID(textIn(containerID) ?? "")[1]),
    keysOf: ({ keys }) => keys.containerIDs,
    passesOn: false,
    of: "container",
    lost: (before, text) => instancesIn(before).find(({ containerID }) => containerID === text),
  },
  name: {
    isGiven: ({ namespace }) => namespace !== undefined,
    textOf({ namespace, name }) {
      return textIn(namespace) === undefined || textIn(name) === undefined ? undefined : `${namespace}/${name}`;
    },
    keysOf: ({ name }) => [name],
    passesOn: true,
    of: "object",
  },
  address: {
    isGiven: ({ ip }) => ip !== undefined,
    textOf: ({ ip }) => addressOf(textIn(ip) ?? ""),
    keysOf: ({ keys, hasAddresses }) => (hasAddresses ? keys.addresses : NONE),
    passesOn: true,
    of: "sandbox",
  },
};

export const KIND_NAMES: readonly KindName[] = Object.keys(KINDS) as KindName[];

/** Returns a key as one text. */
export function keyText({ kind, text }: { readonly kind: KindName; readonly text: string }): string {
  return `${kind} ${text}`;
}

/** Longer than any key: UIDs have 36 characters, IDs of containers 64, a namespace and a name 317 together. */
const MAX_LENGTH = 512;

/** Returns a text that may be a key, or a part of one. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value.length <= MAX_LENGTH ? value : undefined;
}
