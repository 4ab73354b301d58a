import { statSync } from "node:fs";
import { equals } from "@bufbuild/protobuf";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { decodePod } from "../pod/decode.js";
import { HASH_ANNOTATION, isStaticSource, MIRROR_ANNOTATION, SOURCE_ANNOTATION } from "../pod/lifecycle.js";
import { podMask } from "../pod/mask.js";
import { project } from "../pod/project.js";
import { scanHead } from "../pod/scan.js";
import { toDate } from "../pod/time.js";
import { printable } from "../printable.js";
import { API_VERSIONS, type ApiVersion } from "../sources/api-versions.js";
import { type Finding, fail, note, ok, type Subject, skip } from "./check.js";
import { count, firstUnsorted, relist, same, TRIES, textOf, uidOf, unanswered } from "./compare.js";

/** Default receive limit of grpc-go and grpc-js clients. Larger lists need a higher limit. */
const USUAL_LIMIT_BYTES = 4 * 1024 * 1024;

/** Number of pods that are requested one by one. */
const SAMPLE = 3;

const MASK_METADATA = "x-kubernetes-fieldmask";
const UNKNOWN_UID = "00000000-0000-0000-0000-000000000000";

export async function checkSocket({ socketPath }: Subject): Promise<Finding> {
  const { mode, uid, gid } = statSync(socketPath);
  return ok(`mode ${(mode & 0o777).toString(8).padStart(4, "0")}, owner ${uid}:${gid}; connected`);
}

export async function checkContract(subject: Subject): Promise<Finding> {
  const served: ApiVersion[] = [];
  const others: string[] = [];
  const words = new Set<string>();
  for (const version of API_VERSIONS) {
    const answer = await subject.client.list({}, version);
    if (answer.ok) {
      served.push(version);
      if (served.length === 1) subject.list = answer.value;
    } else if (answer.code === "Unimplemented" || served.length > 0) {
      others.push(version.name);
      words.add(textOf(answer).replaceAll(version.service, "..."));
    } else return unanswered(answer, version.name);
  }
  subject.version = served[0];
  const refused = `${others.join(", ")}: ${[...words].join(", ")}`;
  if (served.length === 0) return fail(`no known version: ${refused}`);
  const names = served.map(({ name }) => name).join(" and ");
  return served.length === 1 ? ok(`${names}; ${refused}`) : note(`${names} at once`);
}

export async function checkMethods({ client, version }: Subject): Promise<Finding> {
  const service = version?.service ?? "";
  const answer = await client.call(service, "NoSuchMethod");
  if (!answer.ok && answer.code === "Unimplemented") return ok(`unknown method: ${textOf(answer)}`);
  return answer.ok ? fail("an unknown method is answered") : unanswered(answer, "an unknown method");
}

export async function checkList({ list }: Subject): Promise<Finding> {
  const uids = new Set<string>();
  for (const [i, bytes] of list.entries()) {
    if (bytes[0] === 0x6b) return fail(`pod ${i} begins with the envelope k8s\\0 of the API server`);
    const { head, broken } = scanHead(bytes);
    if (broken) return fail(`pod ${i} cannot be decoded`);
    try {
      decodePod(bytes);
    } catch {
      return fail(`pod ${i} cannot be decoded`);
    }
    if (head.uid === "") return fail(`pod ${i} has no UID`);
    if (uids.has(head.uid)) return fail(`two pods have UID ${printable(head.uid, 64)}`);
    uids.add(head.uid);
  }
  if (list.length === 0)
    return note("no pods; a 1.36 kubelet also returns an empty list until it has read its pod sources");
  return ok(`${count(list.length, "pod")}, all decoded, each with a different UID`);
}

export async function checkOrder({ list }: Subject): Promise<Finding> {
  if (list.length < 2) return skip("fewer than two pods");
  const place = firstUnsorted(list.map(uidOf));
  return place === undefined ? ok("sorted by UID") : note(`not sorted by UID from pod ${place} on; kubelets sort`);
}

export async function checkStatic({ list }: Subject): Promise<Finding> {
  let statics = 0;
  for (const [i, bytes] of list.entries()) {
    const { annotations, uid } = decodePod(bytes).metadata;
    if (MIRROR_ANNOTATION in annotations) return fail(`pod ${i} is a mirror pod`);
    if (!isStaticSource(annotations[SOURCE_ANNOTATION])) continue;
    statics++;
    const hash = annotations[HASH_ANNOTATION];
    if (hash !== undefined && hash !== uid) return fail(`pod ${i} is static, and its UID is not its config.hash`);
  }
  return statics === 0 ? skip("there are none") : ok(`${statics}, and no mirror pod`);
}

export async function checkSize({ list }: Subject): Promise<Finding> {
  const bytes = list.reduce((sum, pod) => sum + pod.length, 0);
  const text = `${(bytes / 1024).toFixed(0)} KiB of pods in one answer`;
  return bytes > USUAL_LIMIT_BYTES ? note(`${text}: clients with a limit of 4 MiB cannot list`) : ok(text);
}

export async function checkSameBytes(subject: Subject): Promise<Finding> {
  for (let i = 1; i < TRIES; i++) {
    const before = subject.list;
    const answer = await relist(subject);
    if (!answer.ok) return unanswered(answer);
    if (answer.value.length === before.length && answer.value.every((pod, j) => same(pod, before[j]))) {
      return ok("two lists are equal, byte for byte; not compressed");
    }
  }
  return skip("the pods changed between any two lists");
}

export async function checkGet(subject: Subject): Promise<Finding> {
  if (subject.list.length === 0) return skip("there are no pods");
  const last = subject.list.length - 1;
  const places = [...new Set([0, last >> 1, last])].slice(0, SAMPLE);
  let uids = places.map((place) => uidOf(subject.list[place]));
  let equal = 0;
  for (let tries = 1; ; tries++) {
    const compared = await compareOneByOne(subject, uids);
    if (!("other" in compared)) return compared;
    equal += compared.equal;
    uids = compared.other;
    if (uids.length === 0) break;
    // A pod that changes and changes back between the two lists looks wrong once. A wrong answer looks wrong each time.
    if (tries === TRIES) return fail("GetPod gives another pod than the lists before and after it");
  }
  if (equal === 0) return skip("the pods changed meanwhile");
  return ok(`${count(equal, "pod")}, byte for byte as in a list`);
}

/**
 * Requests pods one by one between two lists. Returns the number of pods that equal one of the lists, and the UIDs of the pods that differ
 * from both; or a finding.
 */
async function compareOneByOne(
  subject: Subject,
  uids: readonly string[],
): Promise<Finding | { equal: number; other: string[] }> {
  const byUid = (pods: readonly Uint8Array[]) => new Map(pods.map((pod) => [uidOf(pod), pod]));
  const before = byUid(subject.list);
  const got = new Map<string, Uint8Array>();
  for (const uid of uids) {
    const answer = await subject.client.get(uid, subject.version);
    if (answer.ok) got.set(uid, answer.value);
    else if (answer.code !== "NotFound") return unanswered(answer);
  }
  const again = await relist(subject);
  if (!again.ok) return unanswered(again);
  const after = byUid(again.value);
  const other: string[] = [];
  let equal = 0;
  for (const uid of uids) {
    const single = got.get(uid);
    if (single === undefined && after.has(uid)) return fail("a listed pod was not found");
    if (single !== undefined && uidOf(single) !== uid) return fail("GetPod answered with another pod");
    if (same(single, before.get(uid)) || same(single, after.get(uid))) equal++;
    else if (same(before.get(uid), after.get(uid))) other.push(uid);
  }
  return { equal, other };
}

export async function checkNotFound({ client, version }: Subject): Promise<Finding> {
  for (const uid of [UNKNOWN_UID, ""]) {
    const answer = await client.get(uid, version);
    const what = uid === "" ? "an empty UID" : "an unknown UID";
    if (answer.ok) return fail(`${what} is answered with a pod`);
    if (answer.code !== "NotFound") return unanswered(answer, what);
    if (answer.text !== `pod with UID ${uid} not found`) return note(`${what}: ${textOf(answer)}`);
  }
  return ok("unknown and empty UIDs: NotFound, with the kubelet's message");
}

export async function checkMasks(subject: Subject): Promise<Finding> {
  const { client, version } = subject;
  const bad = await client.list({ [MASK_METADATA]: "no.such.field" }, version);
  const before = await relist(subject);
  const good = await client.list({ [MASK_METADATA]: "metadata.uid" }, version);
  const after = await relist(subject);
  for (const answer of [before, good, after]) if (!answer.ok) return unanswered(answer, "a mask");
  if (!bad.ok && bad.code !== "InvalidArgument") return unanswered(bad, "an invalid mask");
  if (!before.ok || !good.ok || !after.ok) return skip("no answer");
  const byUid = (pods: Uint8Array[]) => new Map(pods.map((pod) => [uidOf(pod), pod]));
  const [old, now, masked] = [byUid(before.value), byUid(after.value), byUid(good.value)];
  const stable = [...old].filter(([uid, pod]) => same(pod, now.get(uid)));
  if (stable.length === 0) return skip(old.size === 0 ? "there are no pods" : "the pods changed meanwhile");
  const whole = stable.filter(([uid, pod]) => same(pod, masked.get(uid))).length;
  const small = stable.filter(([uid]) => isUidAlone(masked.get(uid))).length;
  // A pod that changes and changes back between the lists looks damaged, so the majority decides.
  if (small === 0 && whole > stable.length / 2)
    return bad.ok
      ? ok("ignored, as by all released kubelets")
      : fail("masks are ignored, but an invalid mask is rejected");
  if (small < stable.length) return fail("a mask selects other fields than it names");
  return bad.ok
    ? fail("masks are applied, but an invalid mask is accepted")
    : note("masks are applied; an invalid mask is InvalidArgument");
}

const UID_MASK = podMask("metadata.uid");

function isUidAlone(pod: Uint8Array | undefined): boolean {
  if (pod === undefined) return false;
  const whole = decodePod(pod);
  // Go also writes empty messages, which mean the same as missing ones.
  if (toDate(whole.metadata.creationTimestamp) === undefined) delete whole.metadata.creationTimestamp;
  return equals(PodSchema, whole, decodePod(project(pod, UID_MASK.plan)));
}
