// kubectl's JSON beside the command's.

/** A key that is other than kubectl's, of all pods or of static ones alone, and why. docs/kubelet.md has the same table. */
export interface KnownDifference {
  path: string;
  of: "all" | "static";
}

const AS_OLD_AS_FIRST_SEEN = ["resourceVersion", "finalizers", "ownerReferences"];
const STAMPS = ["kubernetes.io/config.seen", "kubernetes.io/config.source"];
/** The API server adds them to the mirror pod; the kubelet has its own pod. */
const OF_MIRRORS = [
  ".metadata.uid",
  ".metadata.creationTimestamp",
  ".metadata.generation",
  ".metadata.annotations.kubernetes.io/config.mirror",
  ".metadata.annotations.kubernetes.io/config.hash",
  ".spec.priority",
  ".spec.preemptionPolicy",
];

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  ...AS_OLD_AS_FIRST_SEEN.map((key) => ({ path: `.metadata.${key}`, of: "all" as const })),
  ...STAMPS.map((key) => ({ path: `.metadata.annotations.${key}`, of: "all" as const })),
  ...OF_MIRRORS.map((path) => ({ path, of: "static" as const })),
];

type JsonMap = { [key: string]: Json };
type Json = null | boolean | number | string | Json[] | JsonMap;

interface PodJson {
  metadata: { namespace: string; name: string; annotations?: Record<string, string> };
  spec: { nodeName?: string };
}

/**
 * Compares two lists of pods by kubectl, and ours from between them, key by key. A pod counts where kubectl showed the same before and
 * after. Static pods are compared with their mirror pods. Returns how many pods were compared.
 *
 * @param least How many pods the API server has had for some time: a list with fewer proves nothing.
 */
export function compareJson(
  before: string,
  ours: string,
  after: string,
  least: number,
): { pods: number; problems: string[]; differences: Difference[] } {
  const [theirs, own, later] = [podsOf(before), podsOf(ours), podsOf(after)];
  const differences: Difference[] = [];
  const problems: string[] = [];
  let pods = 0;
  for (const [name, pod] of theirs) {
    if (JSON.stringify(pod) !== JSON.stringify(later.get(name))) continue;
    const other = own.get(name);
    if (other === undefined) {
      // Nobody has told a kubelet of a pod without a node.
      if (pod.spec.nodeName !== undefined) problems.push(`${name}: lacks in our JSON`);
      continue;
    }
    pods++;
    const of = pod.metadata.annotations?.["kubernetes.io/config.mirror"] === undefined ? "all" : "static";
    compare(pod as unknown as Json, other as unknown as Json, "", (path, kubectl, here) => {
      differences.push({ pod: name, of, path, kubectl, here });
    });
  }
  if (theirs.size < least) problems.push(`kubectl's JSON has ${theirs.size} pods, and the API server ${least}`);
  if (pods * 2 < least) problems.push(`the JSON of ${pods} pods was compared, of ${least}`);
  return { pods, problems, differences };
}

function podsOf(list: string): Map<string, PodJson> {
  const { items } = JSON.parse(list) as { items: PodJson[] };
  return new Map(items.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]));
}

export interface Difference {
  pod: string;
  /** Whether the pod is a static one, and kubectl's its mirror pod. */
  of: "all" | "static";
  path: string;
  /** As JSON; undefined where the key is missing. */
  kubectl: string | undefined;
  here: string | undefined;
}

export function isKnown({ path, of }: Difference): boolean {
  // What is below a key, as the first finalizer, is of it.
  const isMeant = (known: string) => path === known || path.startsWith(`${known}[`);
  return KNOWN_DIFFERENCES.some((known) => isMeant(known.path) && (known.of === "all" || known.of === of));
}

function compare(
  a: Json | undefined,
  b: Json | undefined,
  path: string,
  tell: (path: string, a?: string, b?: string) => void,
): void {
  if (JSON.stringify(a) === JSON.stringify(b)) return;
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) compare(a[i], b[i], `${path}[${i}]`, tell);
  } else if (isMap(a, b) && isMap(b, a)) {
    // A map that is missing is one without keys: which of its keys differ is what matters.
    for (const key of new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]))
      compare((a as JsonMap | undefined)?.[key], (b as JsonMap | undefined)?.[key], `${path}.${key}`, tell);
  } else tell(path, JSON.stringify(a), JSON.stringify(b));
}

/** Whether it is a map, or lacks where the other one has keys. */
function isMap(value: Json | undefined, other: Json | undefined): boolean {
  return isObject(value) || (value === undefined && isObject(other) && Object.keys(other).length > 0);
}

function isObject(value: Json | undefined): value is JsonMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
