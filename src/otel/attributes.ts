import { invalidArgument } from "../errors/pods-error.js";
import { checkOptions } from "../option-checks.js";
import type { ContainerRun } from "../pod/container-run.js";
import { type PodMask, podMask } from "../pod/mask.js";
import type { Masked } from "../pod/masked-pod.js";
import type { Needs } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { toDate } from "../pod/time.js";
import { WORKLOAD_PATHS, type Workload, workloadIn } from "../pod/workload.js";
import { podMasks } from "../pod-masks.js";
import { NAMES, SERVICE, WORKLOADS } from "./attribute-names.js";

const MORE = [
  "spec.hostname",
  "spec.containers.name",
  "spec.containers.image",
  "spec.initContainers.name",
  "spec.initContainers.image",
  "status.podIP",
  "status.startTime",
] as const;

type IdentityPaths = "metadata.uid" | "metadata.namespace" | "metadata.name";
type AttributePaths = IdentityPaths | (typeof WORKLOAD_PATHS)[number] | (typeof MORE)[number];

/** Selects all fields that {@link attributesOf} reads, including labels and annotations. */
export const attributesMask: PodMask<AttributePaths> = podMasks.identity.union(podMask(...WORKLOAD_PATHS, ...MORE));

/** Attributes by OpenTelemetry's semantic conventions, for resources, spans, logs and metrics. */
export type PodAttributes = Record<string, string | number | string[]>;

/** Options of {@link attributesOf}. */
export interface AttributesOptions {
  /**
   * Returns the attribute name for the key of a label. Labels for which it returns undefined are left out. Owners of pods set the labels,
   * so use your own attribute names, such as `k8s.pod.label.${key}`. Names that identify a pod, such as `k8s.pod.uid`, are ignored.
   *
   * @default no labels
   * @example
   * ```ts
   * const labels = (key: string) => (key.startsWith("app.kubernetes.io/") ? `k8s.pod.label.${key}` : undefined);
   * ```
   */
  labels?: ((key: string) => string | undefined) | undefined;
  /**
   * Returns the attribute name for the key of an annotation, like `labels`.
   *
   * @default no annotations
   */
  annotations?: ((key: string) => string | undefined) | undefined;
  /**
   * Adds `service.name` and `service.namespace`, and for a container `service.version` and `service.instance.id`, as the conventions
   * compute them for Kubernetes: from the annotations `resource.opentelemetry.io/…`, the labels `app.kubernetes.io/instance`, `name` and
   * `version`, the workload, the image and the names. Owners of pods set the labels and annotations, so do not trust these attributes.
   *
   * @default false
   */
  service?: boolean | undefined;
}

/**
 * Returns the attributes of a pod, and of one of its containers, by OpenTelemetry's semantic conventions: `k8s.pod.uid`,
 * `k8s.deployment.name`, `container.id` and others. Fields that the mask or the pod lacks give no attribute.
 *
 * @param container the run that `find` or `watchContainers` returns, or `run` from `containersOf`.
 * @example
 * ```ts
 * import { attributesMask, attributesOf } from "kubelet-pods/otel";
 *
 * const informer = pods.informer({ mask: attributesMask });
 * const { pod, container } = informer.find({ ip: "10.244.1.15" });
 * if (pod) console.log(attributesOf(pod, container));
 * ```
 */
export function attributesOf<P>(
  pod: Pod | (P & Needs<P, IdentityPaths>),
  container?: ContainerRun | undefined,
  options: AttributesOptions = {},
): PodAttributes {
  checkOptions(options, { labels: "function", annotations: "function", service: "boolean" }, "attributesOf");
  if (container !== undefined && typeof container?.containerID !== "string")
    throw invalidArgument("attributesOf: container must be a ContainerRun", "pass `run` of a row of containersOf(pod)");
  const facts = pod as Masked<Pod, AttributePaths>;
  const { metadata, spec, status } = facts;
  const attributes: PodAttributes = {};
  const add = (name: string, value: string | undefined) => {
    if (value) attributes[name] = value;
  };
  addNamed(attributes, metadata?.labels, options.labels);
  addNamed(attributes, metadata?.annotations, options.annotations);
  add(NAMES.podUID, metadata?.uid);
  add(NAMES.podName, metadata?.name);
  add(NAMES.namespaceName, metadata?.namespace);
  add(NAMES.nodeName, spec?.nodeName);
  add(NAMES.podHostname, spec?.hostname);
  add(NAMES.podIP, status?.podIP);
  // In whole seconds, as in Kubernetes.
  add(NAMES.podStartTime, toDate(status?.startTime)?.toISOString().replace(".000Z", "Z"));
  const workload = workloadIn(facts);
  addWorkload(workload, add);
  const specified = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  const image = specified.find(({ name }) => name === container?.name)?.image ?? container?.image ?? "";
  if (container !== undefined) addContainer(container, image, attributes, add);
  if (options.service) addService(facts, workload, container && { name: container.name, image }, add);
  return attributes;
}

/** Names that identify a pod. Labels and annotations cannot set them, because the owner of a pod could then claim another identity. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...Object.values<string>(NAMES),
  ...Object.values(WORKLOADS).flatMap((prefix) => [`${prefix}.name`, `${prefix}.uid`]),
]);

type Add = (name: string, value: string | undefined) => void;

function addNamed(
  attributes: PodAttributes,
  texts: Readonly<Record<string, string>> | undefined,
  nameOf: ((key: string) => string | undefined) | undefined,
): void {
  if (texts === undefined || nameOf === undefined) return;
  for (const [key, text] of Object.entries(texts)) {
    const name = nameOf(key);
    if (name && !OWN_ATTRIBUTES.has(name)) attributes[name] = text;
  }
}

function addWorkload(workload: Workload | undefined, add: Add): void {
  const prefix = ownerPrefix(workload?.owner);
  if (workload?.owner === undefined || prefix === undefined) return;
  add(`${prefix}.name`, workload.owner.name);
  add(`${prefix}.uid`, workload.owner.uid);
  const { attribute, name } = workloadName(workload) ?? {};
  if (attribute !== undefined) add(attribute, name);
}

/** Returns the attribute of the workload itself, not of a ReplicaSet or Job in between. Undefined if the conventions have none. */
export function workloadName(
  workload: Workload | undefined,
): { readonly attribute: string; readonly name: string } | undefined {
  const prefix = ownerPrefix(workload?.owner);
  if (workload?.owner === undefined || prefix === undefined) return undefined;
  const { owner, kind, name, derived } = workload;
  const behind = derived ? WORKLOADS[`${groupOf(owner)}/${kind}`] : undefined;
  return behind === undefined
    ? { attribute: `${prefix}.name`, name: owner.name }
    : { attribute: `${behind}.name`, name };
}

/** Returns the prefix of an owner's attributes. The API group counts, because kinds in two groups can have the same name. */
function ownerPrefix(owner: Workload["owner"]): string | undefined {
  return owner && WORKLOADS[`${groupOf(owner)}/${owner.kind}`];
}

/** Returns the API group of an owner. `extensions` became `apps` in 1.16, with the same meaning. */
function groupOf({ apiVersion }: { readonly apiVersion: string }): string {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return group === "extensions" ? "apps" : group;
}

/**
 * Adds the attributes of a service (https://github.com/open-telemetry/semantic-conventions/blob/main/docs/non-normative/k8s-attributes.md).
 */
function addService(
  { metadata }: Masked<Pod, AttributePaths>,
  workload: Workload | undefined,
  container: { readonly name: string; readonly image: string } | undefined,
  add: Add,
): void {
  const { labels, annotations, namespace = "", name = "" } = metadata ?? {};
  const noted = (attribute: string) => annotations?.[`resource.opentelemetry.io/${attribute}`];
  const label = (key: string) => labels?.[`app.kubernetes.io/${key}`];
  const isNamed = workload?.owner !== undefined && SERVING.has(`${groupOf(workload.owner)}/${workload.owner.kind}`);
  const first = (...texts: (string | undefined)[]) => texts.find((text) => text);
  add(SERVICE.name, first(noted(SERVICE.name), label("instance"), label("name"), isNamed ? workload.name : name));
  add(SERVICE.namespace, first(noted(SERVICE.namespace), namespace));
  const { tag, digest } = imageOf(container?.image ?? "");
  const version = first([tag, digest].filter(Boolean).join("@"));
  add(SERVICE.version, first(noted(SERVICE.version), label("version"), version));
  const instance = container && [namespace, name, container.name].join(".");
  add(SERVICE.instanceID, first(noted(SERVICE.instanceID), instance));
}

/** Kinds of controllers that give a service its name. */
const SERVING: ReadonlySet<string> = new Set(Object.keys(WORKLOADS).filter((key) => !key.startsWith("/")));

function addContainer(container: ContainerRun, specified: string, attributes: PodAttributes, add: Add): void {
  add(NAMES.containerID, container.containerID);
  add(NAMES.containerName, container.name);
  add(NAMES.runtimeName, container.runtime);
  attributes[NAMES.restartCount] = container.restartCount;
  // For an image that is pinned by a digest, the status has only the image ID.
  const shown = imageOf(container.image);
  const { name, tag } = shown.name === undefined ? imageOf(specified) : shown;
  add(NAMES.imageName, name);
  if (tag) attributes[NAMES.imageTags] = [tag];
  const id = container.imageID.replace(/^[a-z0-9-]+:\/\//, "");
  if (id.includes("@")) attributes[NAMES.imageRepoDigests] = [id];
  else add(NAMES.imageID, id);
}

/** Splits the reference of an image. A port is followed by a slash, a tag is not. A bare ID is not a name. */
function imageOf(image: string): { name?: string; tag?: string | undefined; digest?: string | undefined } {
  const [reference = "", digest] = image.split("@", 2);
  const at = reference.lastIndexOf(":");
  const isTagged = at > reference.lastIndexOf("/");
  const name = isTagged ? reference.slice(0, at) : reference;
  if (name === "sha256" || /^[0-9a-f]{64}$/.test(name)) return {};
  return { name, tag: isTagged ? reference.slice(at + 1) : undefined, digest };
}
