// Lists of pods as bytes, and what they come to in a ledger.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import type { Ledger } from "../../src/known/ledger.js";
import { isActive } from "../../src/known/record.js";
import type { StreamFacts } from "../../src/known/staging.js";
import { encode, type ModelPod } from "../schedules/model-pod.js";

/** A pod as process 1 sends it, or another. */
export function pod(uid: string, { by = 1, ...more }: Partial<ModelPod> & { by?: number } = {}): Uint8Array {
  return encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1, ...more }, by);
}
/** A pod that has run to its end: where lists lack it, it has gone as soon as that is proved. */
export const leaving = (uid: string, more: Parameters<typeof pod>[1] = {}): Uint8Array =>
  pod(uid, { finished: true, ...more });

export const identity = (uid: string) =>
  encode({ uid, version: 1, failed: false, finished: false, isStatic: false, created: 1 }, 1, true);

/** The first bytes of a pod: its metadata is whole, what follows is cut off. */
export const brokenTail = (uid: string, by = 1) => Uint8Array.from([...pod(uid, { by }), 0x1a, 200]);
export const garbage = Uint8Array.of(0x0a, 200, 1);

/** A pod whose metadata and status are whole, and a container of whose spec cannot be read. */
export const brokenSpec = (uid: string) => Uint8Array.from([...pod(uid), 0x12, 0x04, 0x12, 0x02, 0x0a, 0x7f]);

/** A pod by another name. */
export function named(uid: string, name: string): Uint8Array {
  const message = fromBinary(PodSchema, pod(uid));
  if (message.metadata !== undefined) Object.assign(message.metadata, { uid, name });
  return toBinary(PodSchema, message);
}

export interface Burst extends Partial<StreamFacts> {
  nowMs?: number;
}

/** A whole list; without more it is of the connection of the last one. */
export function burst(ledger: Ledger, pods: Uint8Array[], { nowMs = 0, ...facts }: Burst = {}) {
  ledger.begin({ ...STREAM, askedMs: nowMs, askedWallMs: nowMs, ...facts });
  for (const bytes of pods) ledger.stage("ADDED", bytes);
  const { changes, hasGap } = ledger.commit(nowMs);
  return { told: changes.map((c) => `${c.isActive ? "put" : c.isGone ? "gone" : "done"} ${c.record.uid}`), hasGap };
}

export const STREAM: StreamFacts = {
  server: "socket",
  connection: "1",
  reportsDeletions: true,
  askedMs: 0,
  askedWallMs: 0,
  trust: "contract",
};

/** A stream over another connection than the last one. */
export const ANOTHER = { connection: "2" };

/** The deletions that a list came to. */
export const gone = (ledger: Ledger, pods: Uint8Array[], facts: Burst): string[] =>
  burst(ledger, pods, facts).told.filter((each) => each.startsWith("gone"));

export const uids = (ledger: Ledger) => [...ledger.records()].filter(isActive).map(({ uid }) => uid);

/** Returns the smallest pod: a UID of ASCII letters. For tests that need tens of thousands of pods. */
export function tiny(uid: string): Uint8Array {
  return Uint8Array.of(0x0a, uid.length + 2, 0x2a, uid.length, ...Buffer.from(uid));
}
