import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  AllocatableResourcesResponseSchema,
  GetPodResourcesRequestSchema,
  GetPodResourcesResponseSchema,
  ListPodResourcesResponseSchema,
  type PodResources,
  PodResourcesLister,
} from "../gen/podresources/podresources_pb.js";
import { scanHead } from "../pod/scan.js";
import { podResources } from "../podresources/pod-resources.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";
import { count, relist, said, unanswered } from "./compare.js";
import { RawClient } from "./raw-client.js";

const SERVICE = PodResourcesLister.typeName;

/** Enough calls to use up the kubelet's burst (10, and 100 per second). */
const CALLS = 150;

/** Lists the resources of pods between two lists of the Pods API. Its pods must be in one of these. */
export async function checkResources(subject: Subject): Promise<Finding> {
  const { resources } = subject;
  if (resources === undefined) return noSocket(subject);
  const names = new Set<string>();
  const note = () => {
    for (const bytes of subject.list) names.add(nameOf(scanHead(bytes).head));
  };
  const before = await relist(subject);
  if (!before.ok) return unanswered(before);
  note();
  const listed = await list(resources);
  if (!("pods" in listed)) return listed;
  const after = await relist(subject);
  if (!after.ok) return unanswered(after);
  note();
  const unknown = listed.pods.filter((pod) => !names.has(nameOf(pod))).length;
  const given = listed.pods.filter(isGivenAnything).length;
  const detail = `${count(listed.pods.length, "pod")}, ${given} with something of their own`;
  return unknown === 0 ? ok(detail) : fail(`${detail}; ${unknown} that the Pods API does not list`);
}

/** Gets the resources of one pod, preferably one with resources, and of a pod that does not exist. */
export async function checkResourcesGet(subject: Subject): Promise<Finding> {
  const { resources } = subject;
  if (resources === undefined) return noSocket(subject);
  const nobody = await get(resources, { namespace: "no-such", name: "pod" });
  if (nobody.ok) return fail("an unknown pod is answered");
  if (nobody.code === "Unimplemented" || /disabled/.test(nobody.text)) return note(`Get: ${said(nobody)}`);
  if (nobody.code !== "Unknown" && nobody.code !== "NotFound") return unanswered(nobody, "an unknown pod");
  const before = await list(resources);
  if (!("pods" in before)) return before;
  const one = before.pods.find(isGivenAnything) ?? before.pods[0];
  if (one === undefined) return ok(`an unknown pod: ${said(nobody)}`);
  const answer = await get(resources, one);
  const after = await list(resources);
  if (!("pods" in after)) return after;
  if (!answer.ok && answer.error.code === "rate-limited") return unanswered(answer);
  const isGone = !after.pods.some((pod) => nameOf(pod) === nameOf(one));
  // Its text names the pod, and so is not shown.
  if (!answer.ok) return isGone ? skip("the pod went meanwhile") : fail(`a pod that is listed: ${answer.code}`);
  const { podResources: got } = fromBinary(GetPodResourcesResponseSchema, answer.value);
  const isListed = [...before.pods, ...after.pods].some((pod) => got !== undefined && isSame(pod, got));
  return isListed ? ok(`as it is listed; an unknown pod: ${said(nobody)}`) : fail("Get gives another pod than List");
}

/** Asks for the allocatable resources, which must include each device in use. */
export async function checkAllocatable(subject: Subject): Promise<Finding> {
  const { resources } = subject;
  if (resources === undefined) return noSocket(subject);
  const answer = await resources.call(SERVICE, "GetAllocatableResources");
  if (!answer.ok) return unanswered(answer);
  const { devices, cpuIds, memory } = fromBinary(AllocatableResourcesResponseSchema, answer.value);
  const listed = await list(resources);
  if (!("pods" in listed)) return listed;
  const known = new Set(devices.flatMap(keysOf));
  const taken = listed.pods.flatMap(({ containers }) =>
    containers.flatMap((container) => container.devices.flatMap(keysOf)),
  );
  const detail = `${count(known.size, "device")}, ${taken.length} in use; ${count(cpuIds.length, "CPU")}; ${count(memory.length, "block")} of memory`;
  const lost = taken.filter((key) => !known.has(key)).length;
  return lost > 0 ? note(`${detail}; ${lost} in use that the node can no longer give`) : ok(detail);
}

/** Uses up the rate limit of this API, which is separate. */
export async function checkResourcesLimit(subject: Subject): Promise<Finding> {
  const { resources, client, version, clock } = subject;
  if (resources === undefined) return noSocket(subject);
  await using hasty = new RawClient({ clock, socketPath: resources.socketPath });
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () => hasty.call(SERVICE, "GetAllocatableResources")),
  );
  resources.requests += CALLS;
  const rejected = answers.flatMap((answer) => (!answer.ok && answer.code === "ResourceExhausted" ? [answer] : []));
  if (rejected.length === 0) return note(`${CALLS} calls at once, none rejected`);
  const [first] = rejected;
  const pods = await client.get("", version);
  if (!pods.ok && pods.code === "ResourceExhausted") return note("the Pods API is limited with it");
  return ok(
    `${rejected.length} of ${CALLS} calls at once: ${first === undefined ? "" : said(first)}; the Pods API goes on`,
  );
}

async function list(resources: RawClient): Promise<Finding | { pods: PodResources[] }> {
  const answer = await resources.call(SERVICE, "List");
  if (!answer.ok) return unanswered(answer);
  return { pods: fromBinary(ListPodResourcesResponseSchema, answer.value).podResources };
}

function get(resources: RawClient, { namespace, name }: { namespace: string; name: string }) {
  const request = create(GetPodResourcesRequestSchema, { podNamespace: namespace, podName: name });
  return resources.call(SERVICE, "Get", toBinary(GetPodResourcesRequestSchema, request));
}

function nameOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

function keysOf({ resourceName, deviceIds }: { resourceName: string; deviceIds: string[] }): string[] {
  return deviceIds.map((id) => `${resourceName} ${id}`);
}

function isGivenAnything({ containers, cpuIds, memory }: PodResources): boolean {
  const own = containers.some(
    (container) =>
      container.devices.length + container.cpuIds.length + container.memory.length + container.dynamicResources.length >
      0,
  );
  return own || cpuIds.length + memory.length > 0;
}

/** Returns true if both are equal. A kubelet writes devices and CPUs in any order. */
function isSame(a: PodResources, b: PodResources): boolean {
  return textOf(a) === textOf(b);
}

function textOf(pod: PodResources): string {
  const { cpuIds, containers, ...rest } = podResources(pod);
  const ascending = (ids: readonly number[]) => [...ids].sort((x, y) => x - y);
  const sorted = <T>(all: readonly T[]) => all.map((each) => JSON.stringify(each)).sort();
  return JSON.stringify({
    ...rest,
    cpuIds: ascending(cpuIds),
    memory: sorted(rest.memory),
    containers: containers.map(({ devices, memory, claims, cpuIds, name }) => ({
      name,
      cpuIds: ascending(cpuIds),
      devices: sorted(devices.map((group) => ({ ...group, deviceIDs: [...group.deviceIDs].sort() }))),
      memory: sorted(memory),
      claims: sorted(claims),
    })),
  });
}

/** Judges a missing socket: a failure only if its path was given. */
function noSocket({ wantsResources }: Subject): Finding {
  return wantsResources ? fail("there is no socket at the path that was given") : skip("there is no socket");
}
