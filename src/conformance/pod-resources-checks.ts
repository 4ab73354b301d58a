import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  AllocatableResourcesResponseSchema,
  GetPodResourcesRequestSchema,
  GetPodResourcesResponseSchema,
  ListPodResourcesResponseSchema,
  type PodResources,
  PodResourcesLister,
  PodResourcesSchema,
} from "../gen/podresources/podresources_pb.js";
import { scanHead } from "../pod/scan.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";
import { count, said } from "./compare.js";
import { RawClient } from "./raw-client.js";

const SERVICE = PodResourcesLister.typeName;
const NO_SOCKET = "there is no socket";

/** Enough to use up the burst that a kubelet lets through (10, and 100 per second). */
const CALLS = 150;

/** Lists what pods have been given, twice: it is to be of pods that the Pods API lists. */
export async function checkResources(subject: Subject): Promise<Finding> {
  const { resources } = subject;
  if (resources === undefined) return skip(NO_SOCKET);
  const listed = await list(resources);
  if (!("pods" in listed)) return listed;
  const names = new Set(subject.list.map((bytes) => nameOf(scanHead(bytes).head)));
  const unknown = listed.pods.filter((pod) => !names.has(nameOf(pod))).length;
  const given = listed.pods.filter(isGivenAnything).length;
  const detail = `${count(listed.pods.length, "pod")}, ${given} with something of their own`;
  return unknown > listed.pods.length / 2 && unknown > 1
    ? fail(`${detail}; ${unknown} that the Pods API does not list`)
    : ok(detail);
}

/** Gets pods alone, and one that there is not. */
export async function checkResourcesGet({ resources }: Subject): Promise<Finding> {
  if (resources === undefined) return skip(NO_SOCKET);
  const nobody = await get(resources, { namespace: "no-such", name: "pod" });
  if (nobody.ok) return fail("an unknown pod is answered");
  if (nobody.code === "Unimplemented" || /disabled/.test(nobody.text)) return note(`Get: ${said(nobody)}`);
  const before = await list(resources);
  if (!("pods" in before)) return before;
  const [first] = before.pods;
  if (first === undefined) return ok(`an unknown pod: ${said(nobody)}`);
  const answer = await get(resources, first);
  const after = await list(resources);
  if (!("pods" in after)) return after;
  const isGone = !after.pods.some((pod) => nameOf(pod) === nameOf(first));
  if (!answer.ok) return isGone ? skip("the pod went meanwhile") : fail(`a pod that is listed: ${said(answer)}`);
  const { podResources } = fromBinary(GetPodResourcesResponseSchema, answer.value);
  const isListed = [...before.pods, ...after.pods].some(
    (pod) => podResources !== undefined && isSame(pod, podResources),
  );
  return isListed ? ok(`as it is listed; an unknown pod: ${said(nobody)}`) : fail("Get gives another pod than List");
}

/** Asks what the node can give: each device in use is to be among it. */
export async function checkAllocatable({ resources }: Subject): Promise<Finding> {
  if (resources === undefined) return skip(NO_SOCKET);
  const answer = await resources.call(SERVICE, "GetAllocatableResources");
  if (!answer.ok) return fail(said(answer));
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

/** Uses up the limit of the API, which is its own. */
export async function checkResourcesLimit({ resources, client, version }: Subject): Promise<Finding> {
  if (resources === undefined) return skip(NO_SOCKET);
  await using hasty = new RawClient({ socketPath: resources.socketPath });
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
  if (!answer.ok) return fail(said(answer));
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

function isSame(a: PodResources, b: PodResources): boolean {
  return Buffer.compare(toBinary(PodResourcesSchema, a), toBinary(PodResourcesSchema, b)) === 0;
}
