// What the readers of a client were told, each pod's by itself, and when they were synced. Pure.

import { type At, CONSUMERS, type Consumer, type ToldLine } from "./journal.js";
import type { Span } from "./truth.js";

/** One stay of a pod in what a reader was told, from ADDED to DELETED. */
export interface Stay extends Span {
  who: Consumer;
  uid: string;
  name: string;
  contents: { atMs: number; content: string }[];
  /** What ended it. */
  end: At<ToldLine> | undefined;
}

export interface Told {
  stays: Stay[];
  /** What contradicts what was told before: [time, words]. */
  contradictions: [number, string][];
  /** How many DELETED were told. */
  deletions: number;
}

/** Puts what was told together; words that cannot follow each other are contradictions. */
export function toldBy(lines: readonly At[]): Told {
  const stays: Stay[] = [];
  const contradictions: [number, string][] = [];
  const open = new Map<string, Stay>();
  const sizes = new Map<Consumer, number>();
  let deletions = 0;
  for (const line of lines) {
    const who = line.who as Consumer;
    if (!CONSUMERS.includes(who)) continue;
    const { atMs } = line;
    if (line.type === "BUG") contradictions.push([atMs, `${who}: ${line.what}`]);
    if (line.type === "SYNCED" && "count" in line && line.count !== (sizes.get(who) ?? 0))
      contradictions.push([atMs, `${who}: SYNCED says ${line.count}, and ${sizes.get(who) ?? 0} have been told`]);
    if (!("content" in line)) continue;
    const { uid, name, type, content } = line;
    const key = `${who} ${uid}`;
    const stay = open.get(key);
    if (type === "DELETED") deletions++;
    if (type === "ADDED") {
      if (stay !== undefined) {
        contradictions.push([atMs, `${who}: ADDED ${name} (${uid}), which is known`]);
        continue;
      }
      const fresh = {
        who,
        uid,
        name,
        from: atMs,
        to: Number.POSITIVE_INFINITY,
        contents: [{ atMs, content }],
        end: undefined,
      };
      open.set(key, fresh);
      stays.push(fresh);
      sizes.set(who, (sizes.get(who) ?? 0) + 1);
    } else if (stay === undefined) {
      contradictions.push([atMs, `${who}: ${type} ${name} (${uid}), which is not known`]);
    } else if (type === "MODIFIED") {
      if (stay.contents.at(-1)?.content === content)
        contradictions.push([atMs, `${who}: MODIFIED ${name} (${uid}), and nothing has changed`]);
      stay.contents.push({ atMs, content });
    } else {
      stay.to = atMs;
      stay.end = line as At<ToldLine>;
      open.delete(key);
      sizes.set(who, (sizes.get(who) ?? 0) - 1);
    }
  }
  return { stays, contradictions, deletions };
}

/**
 * Returns the spans in which a reader was synced, from each SYNCED to the next DISCONNECTED, without those in which its process had no
 * processor.
 */
export function syncedSpans(lines: readonly At[], who: Consumer | "lives"): Span[] {
  // What is polled is as current as the informer that it is of.
  const of = who === "list" || who === "snapshots" ? "informer" : who;
  const spans: Span[] = [];
  for (const line of lines) {
    const last = spans.at(-1);
    const open = last?.to === Number.POSITIVE_INFINITY ? last : undefined;
    if (line.who === "stage" && line.type === "STARVED" && open !== undefined) {
      open.to = Math.max(open.from, line.fromMs);
      spans.push({ from: line.toMs, to: Number.POSITIVE_INFINITY });
    }
    if (line.who !== of) continue;
    if (line.type === "SYNCED" && open === undefined) spans.push({ from: line.atMs, to: Number.POSITIVE_INFINITY });
    if (line.type === "DISCONNECTED" && open !== undefined) open.to = line.atMs;
  }
  return spans;
}

/** Returns the longest time within a span for which a reader was synced. */
export function longestSynced(synced: readonly Span[], { from, to }: Span): number {
  return Math.max(0, ...synced.map((span) => Math.min(span.to, to) - Math.max(span.from, from)));
}

/** Returns whether a reader was synced for all of a span: then what it took is not an outage's doing. */
export function wasSynced(synced: readonly Span[], { from, to }: Span): boolean {
  return synced.some((span) => span.from <= from && span.to >= to);
}
