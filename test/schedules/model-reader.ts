// A consumer that checks each thing it is told against what the model has.

import assert from "node:assert/strict";
import type { Pod, PodEvent } from "../../src/index.js";
import type { Change } from "../../src/known/log.js";
import type { PodMask } from "../../src/pod/mask.js";
import { PodSelector } from "../../src/pod/selector.js";
import { Consumer } from "../../src/readers/consumer.js";
import type { UpstreamListener } from "../../src/stream/upstream.js";
import { bandOf } from "./model-pod.js";
import type { ModelServer } from "./model-server.js";

export const UIDS = Array.from({ length: 16 }, (_, i) => `u${String(i).padStart(2, "0")}`);
/** A pod of each source, that comes at the end of a life. */
export const LAST: readonly string[] = ["u0x", "u1x"];
export const isStatic = (uid: string) => uid >= "u12";
const versionOf = (pod: Pod) => Number(pod.metadata?.labels["version"] ?? 0);

/** A consumer that checks each thing it is told. */
export class Reader {
  readonly view = new Map<string, number>();
  /** The version with which each pod was added. */
  readonly added = new Map<string, number>();
  /** The stream on which each API pod was deleted. */
  readonly #deletedOn = new Map<string, number>();
  /** How far into what was sent of each pod the reader has come. */
  readonly #at = new Map<string, number>();
  readonly #server: ModelServer;
  readonly consumer: Consumer;
  readonly listener: UpstreamListener;
  synced = false;
  /** What it was told, as texts. */
  readonly log: string[] = [];
  /** The list that the SYNCED which waits is about, and how many messages had been sent by then. */
  #list: ReadonlyMap<string, number | undefined> = new Map();
  #sentAtList = 0;
  readonly #selective: boolean;
  readonly #includeFinished: boolean;

  /**
   * @param mask has to select UIDs and labels, by which it knows what it is told of.
   * @param selective whether it asks for pods of some bands only.
   */
  constructor(server: ModelServer, mask?: PodMask, { selective = false, includeFinished = false } = {}) {
    this.#server = server;
    this.#selective = selective;
    this.#includeFinished = includeFinished;
    const selector = selective ? new PodSelector({ namespace: "ns", labelSelector: "band notin (1)" }) : undefined;
    const consumer = new Consumer({ includeFinished, mask, selector }, () => {});
    this.consumer = consumer;
    const noteList = () => {
      this.#list = server.listed;
      this.#sentAtList = server.sentAtList;
    };
    this.listener = {
      reader: {
        begin: (pods) => {
          noteList();
          consumer.begin(pods);
        },
        accept: (entry) => {
          if (entry.type === "changes") for (const change of entry.changes) this.#checkMissing(change);
          else if (entry.type === "synced") noteList();
          consumer.accept(entry);
        },
      },
      mask,
      resyncIntervalMs: 120_000,
      onFatal: (error) => assert.fail(error.message),
    };
  }

  /** Of what the server has, what it asks for. */
  wanted(): [string, number][] {
    const pods = this.#includeFinished ? this.#server.all() : this.#server.active();
    return [...pods].filter(([, version]) => this.#selects(version));
  }

  #selects(version: number): boolean {
    return !this.#selective || bandOf(version) !== 1;
  }

  drain(most = Number.POSITIVE_INFINITY): void {
    for (let i = 0; i < most; i++) {
      const event = this.consumer.take();
      if (event === undefined) return;
      this.#check(event);
    }
  }

  #check(event: PodEvent<Pod>): void {
    this.log.push("pod" in event ? `${event.type} ${event.pod.metadata?.uid} ${versionOf(event.pod)}` : event.type);
    if (event.type === "SYNCED") {
      this.#checkSynced(event);
      this.synced = true;
      return;
    }
    if (event.type === "DISCONNECTED") return;
    const uid = event.pod.metadata?.uid ?? "";
    const version = versionOf(event.pod);
    const known = this.view.get(uid);
    if (event.type !== "DELETED") {
      const at = this.#server.wire.get(uid)?.indexOf(version, this.#at.get(uid)) ?? -1;
      assert.ok(this.#selects(version), `version ${version} of ${uid} was not asked for`);
      assert.ok(at >= 0, `version ${version} of ${uid} comes after a later one, or was never sent`);
      this.#at.set(uid, at + 1);
    }
    if (event.type === "ADDED") {
      assert.equal(known, undefined, `ADDED of ${uid}, which is there`);
      const deletedOn = this.#deletedOn.get(uid);
      const again = this.#server.hasRerun(uid);
      assert.ok(again || deletedOn !== this.#server.opened, `ADDED of ${uid} on the stream that deleted it`);
      this.added.set(uid, version);
      this.view.set(uid, version);
    } else if (event.type === "MODIFIED") {
      assert.notEqual(known, undefined, `MODIFIED of ${uid}, which is not there`);
      assert.equal(versionOf(event.previous), known, "previous is what was told last");
      assert.notEqual(version, known, `MODIFIED of ${uid} without a change`);
      this.view.set(uid, version);
    } else {
      assert.notEqual(known, undefined, `DELETED of ${uid}, which is not there`);
      if (event.cause === "deselected") assert.ok(!this.#selects(version), `${uid} has left no selection`);
      else this.#checkEvidence(uid);
      if (event.cause === "finished" && !isStatic(uid)) this.#deletedOn.set(uid, this.#server.opened);
      this.view.delete(uid);
    }
  }

  #checkEvidence(uid: string): void {
    const server = this.#server;
    const added = this.added.get(uid) ?? 0;
    const there: ReadonlyMap<string, number> = this.#includeFinished ? server.all() : server.active();
    // A pod that has left the lists since is gone for every reader, also if it was put back.
    const ended = server.leftSince(uid, added) || server.endedSince(uid, added) || !there.has(uid);
    assert.ok(ended, `DELETED of ${uid} without evidence`);
  }

  #checkMissing({ record, isGone, cause }: Change): void {
    if (!isGone || cause !== "missing") return;
    assert.ok(!this.#server.lingers(record.uid), `${record.uid} is gone, and its end has yet to be told`);
  }

  /** Who reconciles at SYNCED takes for gone what the picture lacks, and for there what it has. */
  #checkSynced({ initial, count, unconfirmed }: Extract<PodEvent<Pod>, { type: "SYNCED" }>): void {
    assert.equal(initial, !this.synced, " initial is told once, at first");
    assert.equal(count, this.view.size, " count is what was told");
    assert.equal(unconfirmed.reasons.length > 0, unconfirmed.count > 0, "what is unconfirmed is so for a reason");
    if (this.#selective) return;
    for (const [uid, version] of this.#list) {
      const server = this.#server;
      if (version === undefined || server.hasRerun(uid) || server.endedSince(uid, version)) continue;
      if (server.active().has(uid)) assert.ok(this.view.has(uid), `the picture at SYNCED lacks ${uid}, which runs`);
    }
    const extra = [...this.view.keys()].filter(
      (uid) => !this.#list.has(uid) && (this.#server.toldAt.get(uid) ?? 0) <= this.#sentAtList,
    );
    assert.ok(
      extra.length <= unconfirmed.count,
      `at SYNCED ${extra} are told and not listed, and ${unconfirmed.count} are unconfirmed`,
    );
  }

  /** At most one slot per pod that is known or was told, and the two control events. */
  checkBound(listed: number): void {
    assert.ok(this.consumer.pending <= this.view.size + listed + 2, `${this.consumer.pending} slots`);
  }
}
