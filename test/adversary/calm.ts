// What has to be known where nothing goes wrong: an answer that says too little, or is less sure than docs/lookups.md says, breaks a rule here.
// Like the judge, it uses what is true on the node and what the kubelet sent, and nothing of the library.

import type { Answered, Asked, Facts, Heard, Key } from "./evidence.js";

/** After so long a kubelet's lists are believed, and what went wrong before is made good. */
const RECOVERED_MS = 30_000;
/** So late a change may be told, and a millisecond more (docs/lookups.md). */
const SETTLED_MS = 10_001;
/** A list confirms what was so at least so long before. */
const PROOF_MS = 5_001;
/** So long a list may take. */
const LIST_MS = 1_000;
/** So long it takes at most until lists have confirmed that a pod has gone. */
const LEAVING_MS = 300_000;
/**
 * So long it takes until lists have confirmed which pods went while something went wrong: a minute if most pods are missing, then a grace period
 * of 20 s and ten seconds, and lists are up to five seconds apart.
 */
const CONFIRMED_MS = 95_000;
/** So far apart lists are at most where nothing asks for one. */
const RESYNC_MS = 150_000;
/** So long it takes at most until an informer is synced. */
const SYNCED_MS = 40_000;
/** An outage that lasts longer leaves nothing certain. */
const OUTAGE_MS = 1_500;
/** So late the end of a retention may come. */
const EVICTED_MS = 10_000;
/** If a list has brought a source back, the pods that have gone meanwhile are unconfirmed for their grace period. */
const ENDED_MS = 60_000;
/** How long lists must lack an entry without a UID before it counts as gone. */
const UNREADABLE_MS = 40_500;
/** Nobody else had the key for so long before and after. */
const ALONE_MS = 60_000;

/** Why containers end by themselves. */
const OWN_REASONS = ["exited", "signalled", "OOMKilled", "unknown"];

const SURENESS = ["uncertain", "likely", "reported", "confirmed"];

export class Calm {
  readonly #facts: Facts;
  readonly #wire: ReadonlyMap<string, readonly Heard[]>;
  readonly #reasons: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #fail: (rule: string, text: string) => void;
  /** When the last list was made that lacked a pod, or had one that cannot be read. */
  incompleteMs = 0;
  /** How often each rule was asked. */
  readonly asked: Map<string, number> = new Map();

  constructor(
    facts: Facts,
    wire: ReadonlyMap<string, readonly Heard[]>,
    reasons: ReadonlyMap<string, ReadonlySet<string>>,
    fail: (rule: string, text: string) => void,
  ) {
    this.#facts = facts;
    this.#wire = wire;
    this.#reasons = reasons;
    this.#fail = fail;
  }

  /** Since when everything has gone well, with a list to begin with; undefined if something is wrong. */
  #sinceMs(syncedMs: number): number | undefined {
    const troubledMs = this.#troubledMs(syncedMs);
    return troubledMs === undefined ? undefined : this.#facts.lists.find((atMs) => atMs >= troubledMs + RECOVERED_MS);
  }

  /** When something went wrong last; undefined if something is wrong. */
  #troubledMs(syncedMs: number): number | undefined {
    const { truth, losses, starts, polled, dropped, illegible, damaged, nameless, unread } = this.#facts;
    if (!this.#facts.isLive || this.#facts.isPolled || this.#facts.hadNewType) return undefined;
    if (damaged.size > 0 || nameless.size > 0 || unread.size > 0) return undefined;
    const troubles = [losses, starts, polled, illegible, truth.clockSteps, truth.pauses].map(
      (each) => each.at(-1) ?? 0,
    );
    return Math.max(syncedMs, this.incompleteMs, this.#facts.faultMs, dropped.at(-1)?.atMs ?? 0, ...troubles);
  }

  /** Hears the answer of a lookup, for now or for a time. */
  answered(key: Key, answer: Answered, asked: Asked): void {
    const { ms, isPast, dayMs, isRetained, joinedMs, syncedMs } = asked;
    const { truth, nowMs } = this.#facts;
    if (answer.gone !== undefined)
      this.#expect(
        "kept",
        nowMs - answer.gone.atMs <= asked.retainMs + EVICTED_MS,
        `${answer.uid} is found ${Math.round(nowMs - answer.gone.atMs)} ms after its end`,
      );
    if (isPast && ("ip" in key || "name" in key) && dayMs === undefined && this.#isOutage(ms))
      this.#expect("outage", answer.confidence === "uncertain", `${textOf(key)} is ${answer.confidence} in an outage`);
    if (dayMs !== undefined && ("ip" in key || "name" in key) && truth.timesOf(dayMs, joinedMs, nowMs) > 1) {
      this.#expect(
        "clock",
        answer.confidence === "uncertain",
        `${textOf(key)} is ${answer.confidence} although this time of day occurred twice`,
      );
      return;
    }
    const sinceMs = this.#sinceMs(syncedMs);
    if (dayMs !== undefined && truth.clockSteps.some((atMs) => atMs >= joinedMs)) return; // it may have been twice
    if (sinceMs === undefined || ms < sinceMs + 2 * SETTLED_MS) return;
    if ("uid" in key) this.#byUid(key.uid, key.containerName, answer, sinceMs);
    else if ("containerID" in key) this.#byContainer(key.containerID, answer);
    else if (isPast) {
      this.#then(key, answer, asked);
      if ("ip" in key && isRetained) this.#nobody(key.ip, answer, ms);
    } else if ("ip" in key) this.#now(key.ip, answer, ms);
  }

  /** Looks at the phase of an informer: it is synced soon, and after a list of a kubelet that has run for long at once. */
  phase(phase: string, joinedMs: number): void {
    const troubledMs = this.#troubledMs(joinedMs);
    const { nowMs, isPartial } = this.#facts;
    if (troubledMs === undefined || (isPartial && !this.#hasBoth(nowMs))) return;
    const listedMs = this.#sinceMs(joinedMs) ?? Number.POSITIVE_INFINITY;
    if (nowMs < Math.min(listedMs + LIST_MS, troubledMs + SYNCED_MS)) return;
    const sinceMs = Math.round(nowMs - troubledMs);
    this.#expect("synced", phase === "synced", `the informer is ${phase}, and all has been well for ${sinceMs} ms`);
  }

  /** Looks at how many pods are unconfirmed: lists confirm soon which have gone. */
  unconfirmed(count: number, joinedMs: number): void {
    const { truth, nowMs, returns, lists } = this.#facts;
    const troubledMs = this.#troubledMs(joinedMs);
    if (troubledMs === undefined || !this.#hasBoth(nowMs)) return;
    // A kubelet that started while the API server was away has read its pods only since then.
    const leftMs = Math.max(0, ...[...truth.pods.values()].flatMap(({ leaves }) => leaves));
    // An entry that could not be read is right again in a list, and nothing asks for that list before its time.
    const readMs = lists.find((atMs) => atMs > this.incompleteMs) ?? this.incompleteMs + RESYNC_MS;
    const calmMs = nowMs - Math.max(troubledMs, leftMs, returns.at(-1) ?? 0, this.incompleteMs > 0 ? readMs : 0);
    if (calmMs < CONFIRMED_MS) return;
    this.#expect("confirmed", count === 0, `${count} pods are unconfirmed after ${Math.round(calmMs)} ms`);
  }

  /** Looks at the state of an informer: everything is confirmed, and read. */
  state(
    state: { readonly phase: string; readonly unconfirmed: number; readonly unreadable: number },
    syncedMs: number,
  ): void {
    const sinceMs = this.#sinceMs(syncedMs);
    const { lists, nowMs } = this.#facts;
    if (
      !this.#isSettled(nowMs) ||
      sinceMs === undefined ||
      nowMs < sinceMs + ENDED_MS ||
      lists.filter((atMs) => atMs > sinceMs && atMs < nowMs).length < 2
    )
      return;
    const { phase, unconfirmed, unreadable } = state;
    const isWell = phase === "synced" && unconfirmed === 0 && unreadable === 0;
    this.#expect(
      "state",
      isWell,
      `the informer is ${phase}, with ${unconfirmed} unconfirmed and ${unreadable} unreadable pods`,
    );
  }

  #expect(rule: string, holds: boolean, text: string): void {
    this.asked.set(rule, (this.asked.get(rule) ?? 0) + 1);
    if (!holds) this.#fail(rule, text);
  }

  /** Whether no stream was live, and no list of the HTTP server came, for more than a second around a time. */
  #isOutage(ms: number): boolean {
    const { losses, lists, polled, nowMs } = this.#facts;
    const lostMs = losses.findLast((atMs) => atMs <= ms);
    if (lostMs === undefined) return false;
    const sinceMs = lists.findLast((atMs) => atMs <= lostMs) ?? 0;
    const listedMs = Math.min(nowMs, ...lists.filter((atMs) => atMs > lostMs));
    const isPolled = polled.some((atMs) => atMs >= sinceMs && atMs <= listedMs);
    return !isPolled && ms < listedMs && listedMs - lostMs > OUTAGE_MS;
  }

  /** Whether what was told of a pod, and stood at any time of a span, is as wanted. */
  #isSteady(uid: string, fromMs: number, toMs: number, isSo: (said: Heard) => boolean): boolean {
    const all = this.#wire.get(uid) ?? [];
    const first = all.findLastIndex(({ atMs }) => atMs <= fromMs);
    return first >= 0 && all.slice(first).every((said) => said.atMs > toMs || isSo(said));
  }

  /** Whose key is told, by a pod that lives and has run the same container for a span. */
  #holderOf(key: Key, fromMs: number, toMs: number): string | undefined {
    const { truth } = this.#facts;
    const found = [...truth.pods.values()].filter(({ uid, name, spans }) => {
      let id: string | undefined;
      if (!spans.some((span) => span.fromMs <= fromMs && (span.toMs ?? Number.POSITIVE_INFINITY) > toMs)) return false;
      return this.#isSteady(uid, fromMs, toMs, (said) => {
        const isLiving = said.isGone !== true && !said.isDeleted && !said.isStopped && said.isDamaged !== true;
        // A name is its object's, whichever container runs.
        if ("name" in key) return name === key.name && isLiving && said.running.length > 0;
        id ??= said.running[0];
        return "ip" in key && said.ip === key.ip && isLiving && id !== undefined && said.running.includes(id);
      });
    });
    return found.length === 1 ? found[0]?.uid : undefined;
  }

  /** Whether somebody else has, or is shown with, the key in a span. */
  #isShared(key: Key, uid: string, fromMs: number, toMs: number): boolean {
    const { truth } = this.#facts;
    const holders =
      "ip" in key ? truth.holders(key.ip, fromMs, toMs) : truth.named("name" in key ? key.name : "", fromMs, toMs);
    if ([...holders].some((each) => each !== uid)) return true;
    return [...this.#wire].some(([each, all]) => {
      if (each === uid) return false;
      if ("name" in key) return truth.pods.get(each)?.name === key.name && all.some(({ atMs }) => atMs >= fromMs);
      // A status without containers says nothing of the address.
      const telling = all.filter(({ isBare, isGone }) => isGone === true || !isBare);
      const first = telling.findLastIndex(({ atMs }) => atMs <= fromMs);
      return telling
        .slice(Math.max(0, first))
        .some((said) => "ip" in key && said.ip === key.ip && said.isGone !== true);
    });
  }

  #then(key: Key, { uid, confidence, others, gone }: Answered, { ms, isRetained }: Asked): void {
    const { nowMs, lists } = this.#facts;
    const [fromMs, toMs] = [ms - 2 * SETTLED_MS, Math.min(nowMs, ms + SETTLED_MS)];
    const owner = this.#holderOf(key, fromMs, toMs);
    if (owner === undefined || this.#isShared(key, owner, ms - ALONE_MS, nowMs)) return;
    if (!isRetained && this.#holderOf(key, fromMs, nowMs) !== owner) return;
    const whose = `${textOf(key)} was of ${owner} ${Math.round(nowMs - ms)} ms ago`;
    this.#expect(
      "unknown",
      uid === owner && others === 0,
      `${whose}, and ${uid ?? "nobody"} is found, or one of ${others} others`,
    );
    const proofMs = lists.find((atMs) => atMs > ms + PROOF_MS && this.#holderOf(key, fromMs, atMs + LIST_MS) === owner);
    // A list with the next pod of the owner's manifest does not show that the owner was there.
    const wasReplaced = this.#facts.truth.pods.get(owner)?.leaves.some((atMs) => atMs >= fromMs) === true;
    // Only lists show that an object, and with it a name, is still there.
    const isTold = "ip" in key && nowMs > ms + SETTLED_MS;
    const least =
      proofMs !== undefined && proofMs < nowMs && !wasReplaced ? "confirmed" : isTold ? "reported" : "likely";
    this.#expect("unsure", isAtLeast(confidence, least), `${whose}, which is ${confidence} and should be ${least}`);
    if (this.#holderOf(key, fromMs, nowMs) === owner)
      this.#expect("there", gone === undefined, `${owner} is said to be gone, and is there`);
  }

  #now(ip: string, { uid, confidence, others, gone }: Answered, ms: number): void {
    const owner = this.#holderOf({ ip }, ms - 2 * SETTLED_MS, ms);
    if (owner === undefined || this.#isShared({ ip }, owner, ms - ALONE_MS, ms)) return;
    this.#expect(
      "unknown",
      uid === owner && others === 0,
      `${ip} is of ${owner}, and ${uid ?? "nobody"} is found, or one of ${others} others`,
    );
    this.#expect("unsure", confidence === "likely", `${ip} is of ${owner}, and that is ${confidence}`);
    this.#expect("there", gone === undefined, `${owner} is said to be gone, and is there`);
  }

  /**
   * Whether there are static pods and others, and none has left for long: a source that has no pod at all may not have been read, and a pod
   * that has left the lists stays unconfirmed for a while.
   */
  #isSettled(ms: number): boolean {
    const hasLeft = [...this.#facts.truth.pods.values()].some(({ leaves }) =>
      leaves.some((atMs) => atMs > ms - LEAVING_MS && atMs < ms),
    );
    return this.#hasBoth(ms) && !hasLeft;
  }

  /** Whether there are static pods and others. */
  #hasBoth(ms: number): boolean {
    const { truth, nowMs } = this.#facts;
    const isThere = (span: { fromMs: number; toMs: number | undefined }) =>
      span.fromMs < ms - ALONE_MS && (span.toMs ?? nowMs + 1) > ms;
    const kinds = [...truth.pods.values()].filter(({ spans }) => spans.some(isThere)).map(({ isStatic }) => isStatic);
    return kinds.includes(true) && kinds.includes(false);
  }

  /** Nobody had an address for long before and after, nor was shown with it. */
  #nobody(ip: string, { uid, confidence }: Answered, ms: number): void {
    const { nowMs, isPartial, lists, starts } = this.#facts;
    if (!this.#isSettled(ms)) return;
    const since = lists.filter((atMs) => atMs > this.incompleteMs && atMs < ms - SETTLED_MS);
    if (since.length < 3) return;
    // A pod whose UID could not be read may be there until lists of one process have lacked it for its grace period.
    const startMs = starts.findLast((atMs) => atMs <= ms) ?? 0;
    const lackedMs = since.find((atMs) => atMs > startMs) ?? Number.POSITIVE_INFINITY;
    if (this.incompleteMs > 0 && (since.at(-1) as number) < lackedMs + UNREADABLE_MS) return;
    if (isPartial || nowMs < ms + SETTLED_MS || this.#isShared({ ip }, "", ms - ALONE_MS, nowMs)) return;
    this.#expect(
      "nobody",
      uid === undefined && isAtLeast(confidence, "reported"),
      `${ip} was nobody's, and ${uid ?? "nobody"} is ${confidence}`,
    );
  }

  /** A UID names its pod for sure, and how long it was there. */
  #byUid(uid: string, containerName: string | undefined, answer: Answered, sinceMs: number): void {
    const { truth, nowMs } = this.#facts;
    const all = this.#wire.get(uid) ?? [];
    const last = all.at(-1);
    const pod = truth.pods.get(uid);
    if (last === undefined || pod === undefined || last.atMs > nowMs - SETTLED_MS) return;
    const isThere = pod.spans.some(({ fromMs, toMs = nowMs }) => fromMs <= last.atMs && toMs >= nowMs);
    const isLiving = isThere && last.isGone !== true && !last.isDeleted && last.running.length > 0;
    if (isLiving) {
      this.#expect(
        "uid",
        answer.uid === uid && answer.confidence === "confirmed",
        `${uid} is there, and ${answer.uid ?? "nobody"} is ${answer.confidence}`,
      );
      this.#expect("there", answer.gone === undefined, `${uid} is said to be gone, and is there`);
    }
    const named = last.running.filter((id) => truth.runs.get(id)?.name === containerName);
    if (isLiving && named.length === 1)
      this.#expect(
        "container",
        answer.run?.id === named[0],
        `${containerName} of ${uid} is ${named[0]}, and ${answer.run?.id} is found`,
      );
    const { gone } = answer;
    const wasLost = this.#facts.dropped.some((each) => each.uid === uid);
    if (gone === undefined || pod.isStatic || wasLost) return;
    const [reason, ...others] = this.#reasons.get(uid) ?? [];
    if (reason !== undefined && others.length === 0 && !OWN_REASONS.includes(reason) && answer.reason !== undefined)
      this.#expect(
        "reason",
        answer.reason === reason,
        `${uid} has ended (${answer.reason}), and all of its containers did (${reason})`,
      );
    // The kubelet reports that nothing runs any longer at most so late.
    const toldAt = all.findLastIndex(({ running }) => running.length > 0) + 1;
    const toldMs = all[toldAt]?.atMs ?? 0;
    const isUnclear =
      all.slice(toldAt - 1).some(({ isDamaged }) => isDamaged) || truth.runsOf(uid).some(({ isLost }) => isLost);
    if (toldAt > 0 && toldMs > sinceMs + SETTLED_MS && !isUnclear)
      this.#expect(
        "gone",
        gone.afterMs >= toldMs - SETTLED_MS - 1_000,
        `${uid} is said to have ended after ${gone.afterMs}, and its end was told at ${toldMs}`,
      );
    const endMs = [pod.overMs, ...pod.leaves, ...pod.ends].filter((atMs) => atMs !== undefined);
    if (endMs.some((atMs) => truth.stoodStill(atMs))) return; // told later than it may be
    const isWithin = endMs.some((atMs) => atMs >= gone.afterMs - 1_000 && atMs <= gone.atMs + 1);
    this.#expect(
      "gone",
      gone.afterMs <= gone.atMs && isWithin,
      `${uid} is said to have ended from ${gone.afterMs} to ${gone.atMs}, and did at ${endMs.join()}`,
    );
  }

  /** The ID of a container that runs names it. */
  #byContainer(id: string, { uid, confidence, run }: Answered): void {
    const its = this.#facts.truth.runs.get(id);
    const last = this.#wire.get(its?.uid ?? "")?.at(-1);
    // No status of the next pod of a manifest, which has the same UID, shows the containers of the one before.
    if (uid !== undefined && this.#facts.truth.pods.get(uid)?.leaves.length === 0)
      this.#expect("container", run?.id === id, `${id} finds ${uid}, and ${run?.id ?? "none"} of its containers`);
    if (its?.toMs !== undefined || last === undefined || last.isGone === true || !last.running.includes(id)) return;
    if (its === undefined || this.#facts.truth.pods.get(its.uid)?.exists === false) return;
    const isIt = uid === its.uid && run?.id === id && run.count === its.count && confidence === "confirmed";
    this.#expect(
      "container",
      isIt,
      `${id} is container ${its.count} of ${its.uid}, and ${run?.id} (${run?.count}) of ${uid ?? "nobody"} is ${confidence}`,
    );
  }
}

function isAtLeast(confidence: string, least: string): boolean {
  return SURENESS.indexOf(confidence) >= SURENESS.indexOf(least);
}

function textOf(key: Key): string {
  return Object.values(key).join();
}
