// Records what a WatchCore is given, what it does, and what readers beside it are given. The only file here that knows src.

import { type PodMask, podMask } from "../../src/pod/mask.js";
import type { Pod } from "../../src/pod/pod.js";
import { PodSelector } from "../../src/pod/selector.js";
import { Consumer } from "../../src/readers/consumer.js";
import type { PodEvent } from "../../src/readers/events.js";
import type { SourceEvent } from "../../src/sources/pod-source.js";
import { WatchCore } from "../../src/stream/core.js";
import type { Effect } from "../../src/stream/effect.js";
import type { Input as CoreInput } from "../../src/stream/machine.js";
import type { Want as CoreWant } from "../../src/stream/wants.js";
import { podText } from "./messages.js";
import { syncedText } from "./readers.js";
import type { Fields, Input, Received, Requests, Row, Want } from "./trace.js";

const maskOf = (fields: Fields): PodMask | undefined => fields && podMask.parse(fields.join());
const fieldsOf = (mask: PodMask | undefined): Fields => mask?.toString().split(",");

/** A reader as an upstream has it: with a queue, and the fields and pods that it wants. */
class RecordedReader {
  readonly want: Want;
  readonly consumer: Consumer;
  readonly coreWant: CoreWant;
  hasBegun = false;

  constructor(want: Want) {
    const { fields, includeFinished, withoutBands, resyncIntervalMs } = want;
    const selector = withoutBands && new PodSelector({ labelSelector: `band notin (${withoutBands.join()})` });
    this.want = want;
    this.consumer = new Consumer({ includeFinished, mask: maskOf(fields), selector }, () => {});
    this.coreWant = { mask: maskOf(fields), resyncIntervalMs, includeFinished };
  }

  take(most = Number.POSITIVE_INFINITY): string[] {
    const events: string[] = [];
    while (events.length < most) {
      const event = this.consumer.take();
      if (event === undefined) break;
      events.push(textOfEvent(event));
    }
    return events;
  }
}

function textOfEvent(event: PodEvent<Pod>): string {
  switch (event.type) {
    case "SYNCED": {
      const { initial, count, unconfirmed, unreadable } = event;
      return syncedText(
        initial,
        count,
        `${unconfirmed.count} ${[...unconfirmed.reasons].sort()}`,
        [...unreadable].sort(),
      );
    }
    case "DISCONNECTED":
      return `DISCONNECTED ${event.error.code}`;
    case "DELETED":
      return `DELETED ${event.cause} ${podText(event.pod)}`;
    case "MODIFIED":
      return `MODIFIED ${podText(event.pod)} from ${podText(event.previous)}`;
    default:
      return `ADDED ${podText(event.pod)}`;
  }
}

/** A WatchCore with recorded readers. The caller plays the shell: it carries out the effects. */
export class Recorder {
  readonly core: WatchCore;
  readonly rows: Row[] = [];
  readonly #readers = new Map<string, RecordedReader>();
  #timerMs = Number.POSITIVE_INFINITY;
  #lost: Extract<Effect, { type: "lost" }> | undefined;

  constructor(core: WatchCore) {
    this.core = core;
  }

  get timerMs(): number {
    return this.#timerMs;
  }

  get readers(): readonly string[] {
    return [...this.#readers.keys()];
  }

  receive(message: SourceEvent, ms: number, wallMs: number): void {
    this.note(ms, wallMs, { do: "receive", message: receivedOf(message) }, () =>
      this.core.receive(message, ms, wallMs),
    );
  }

  sent(ms: number, wallMs: number): void {
    this.note(ms, wallMs, { do: "sent" }, () => this.core.sent(ms, wallMs));
  }

  listed(pods: readonly Uint8Array[], ms: number, wallMs: number): void {
    this.note(ms, wallMs, { do: "listed", pods }, () => this.core.listed(pods, ms));
  }

  step(input: CoreInput, ms: number, wallMs: number): void {
    this.note(ms, wallMs, inputOf(input), () => this.core.step(input, ms));
  }

  join(want: Want, ms: number, wallMs: number): void {
    this.joinBeside(want, ms, () => this.core.want(this.#readers.get(want.name)?.coreWant as CoreWant, ms), wallMs);
  }

  leave(name: string, ms: number, wallMs: number): void {
    const coreWant = this.#readers.get(name)?.coreWant;
    if (coreWant !== undefined) this.leaveBeside(name, ms, () => this.core.unwant(coreWant, ms), wallMs);
  }

  /** Adds a reader beside one that `carryOut` adds to the core. */
  joinBeside(want: Want, ms: number, carryOut: () => readonly Effect[], wallMs = ms): void {
    const reader = new RecordedReader(want);
    this.#readers.set(want.name, reader);
    this.note(ms, wallMs, { do: "join", want }, () => {
      const effects = carryOut();
      if (this.core.knows(reader.coreWant.mask)) this.#begin(reader);
      if (this.#lost !== undefined) reader.consumer.accept(this.#lost);
      return effects;
    });
  }

  leaveBeside(name: string, ms: number, carryOut: () => readonly Effect[], wallMs = ms): void {
    const reader = this.#readers.get(name);
    if (reader === undefined) return;
    this.#readers.delete(name);
    this.note(ms, wallMs, { do: "leave", want: reader.want }, carryOut);
  }

  /** A slow reader takes some of its events. */
  take(name: string, most: number, ms: number, wallMs: number): void {
    this.note(ms, wallMs, { do: "take", name, most }, () => []);
  }

  /** Notes an input, its effects, and what readers are given by them. */
  note(ms: number, wallMs: number, input: Input, carryOut: () => readonly Effect[]): void {
    const effects = carryOut();
    const timer = effects.findLast((effect) => effect.type === "timer");
    if (input.do === "timer") this.#timerMs = Number.POSITIVE_INFINITY;
    if (timer !== undefined)
      this.#timerMs = timer.delayMs === undefined ? Number.POSITIVE_INFINITY : ms + timer.delayMs;
    for (const effect of effects) this.#publish(effect);
    if (effects.some(({ type }) => type === "listed"))
      for (const reader of this.#readers.values())
        if (!reader.hasBegun && this.core.knows(reader.coreWant.mask)) this.#begin(reader);
    const events = new Map<string, string[]>();
    for (const [name, reader] of this.#readers) {
      const isTaken = input.do === "take" && input.name === name;
      if (reader.want.isSlow && !isTaken) continue;
      const given = reader.take(isTaken ? input.most : undefined);
      if (given.length > 0) events.set(name, given);
    }
    this.rows.push({ ms, wallMs, input, requests: this.#requestsOf(effects), events });
  }

  #begin(reader: RecordedReader): void {
    reader.hasBegun = true;
    reader.consumer.begin(this.core.ledger);
    if (this.core.everSynced && this.#lost === undefined) reader.consumer.accept({ type: "synced" });
  }

  #publish(effect: Effect): void {
    if (effect.type === "lost") this.#lost = effect;
    else if (effect.type === "synced") this.#lost = undefined;
    else if (effect.type !== "changes" && effect.type !== "listed") return;
    for (const { consumer, hasBegun } of this.#readers.values())
      if (hasBegun || effect.type === "lost") consumer.accept(effect);
  }

  #requestsOf(effects: readonly Effect[]): Requests {
    const opened = effects.find((effect) => effect.type === "open");
    const retry = effects.find((effect) => effect.type === "retry");
    return {
      ...(opened && { opened: { fields: fieldsOf(this.core.mask) } }),
      ...(effects.some(({ type }) => type === "list") && { listed: true }),
      ...(effects.some(({ type }) => type === "close") && { closed: true }),
      ...(retry && { retryMs: retry.delayMs }),
      timerMs: this.#timerMs,
    };
  }
}

/** Copies a message: the buffer of its pod may be used again. */
function receivedOf(event: SourceEvent): Received {
  if (event.type === "CONNECTED") {
    const { list, ...connected } = event;
    return { ...connected, canList: list !== undefined };
  }
  return "pod" in event ? { ...event, pod: Uint8Array.from(event.pod) } : event;
}

function inputOf(input: CoreInput): Input {
  switch (input.type) {
    case "failed":
      return { do: "failed", code: input.error.code, retryable: input.error.retryable };
    case "unlisted":
      return { do: "unlisted", code: input.error?.code, retryable: input.error?.retryable ?? true };
    case "bytes":
      return { do: "bytes" };
    case "relist":
      return { do: "relist", inMs: input.inMs ?? 0 };
    case "socket":
      return { do: "socket", replaced: input.replaced };
    case "start":
    case "stop":
    case "timer":
      return { do: input.type };
    default:
      throw new Error(`a shell does not pass ${input.type}`);
  }
}

/** Records all cores while something runs. Their shells are left as they are. */
export async function recordAll(play: () => unknown): Promise<Recorder[]> {
  const recorders = new Map<WatchCore, Recorder>();
  const joined = new Map<CoreWant, string>();
  const original = { ...methodsOf(WatchCore.prototype) };
  /** The core whose input is being carried out: it calls itself. */
  let busy: WatchCore | undefined;
  const patched = <A extends unknown[]>(
    method: (this: WatchCore, ...args: A) => Effect[],
    record: (recorder: Recorder, carryOut: () => Effect[], ...args: A) => void,
  ) =>
    function (this: WatchCore, ...args: A): Effect[] {
      if (busy !== undefined) return method.apply(this, args);
      const recorder = recorders.get(this) ?? new Recorder(this);
      recorders.set(this, recorder);
      let effects: Effect[] = [];
      busy = this;
      try {
        record(
          recorder,
          () => {
            effects = method.apply(this, args);
            return effects;
          },
          ...args,
        );
      } finally {
        busy = undefined;
      }
      return effects;
    };
  Object.assign(WatchCore.prototype, {
    receive: patched(original.receive, (recorder, carryOut, event, ms, wallMs) =>
      recorder.note(ms, wallMs, { do: "receive", message: receivedOf(event) }, carryOut),
    ),
    sent: patched(original.sent, (recorder, carryOut, ms, wallMs) =>
      recorder.note(ms, wallMs, { do: "sent" }, carryOut),
    ),
    listed: patched(original.listed, (recorder, carryOut, pods, ms) =>
      recorder.note(ms, ms, { do: "listed", pods: pods.map((pod) => Uint8Array.from(pod)) }, carryOut),
    ),
    step: patched(original.step, (recorder, carryOut, input, ms) => recorder.note(ms, ms, inputOf(input), carryOut)),
    want: patched(original.want, (recorder, carryOut, want, ms) => {
      const name = `reader ${joined.size + 1}`;
      joined.set(want, name);
      recorder.joinBeside(wantOf(want, name), ms, carryOut);
    }),
    unwant: patched(original.unwant, (recorder, carryOut, want, ms) =>
      recorder.leaveBeside(joined.get(want) ?? "", ms, carryOut),
    ),
  });
  try {
    await play();
  } finally {
    Object.assign(WatchCore.prototype, original);
  }
  return [...recorders.values()];
}

function methodsOf({ receive, sent, listed, step, want, unwant }: WatchCore) {
  return { receive, sent, listed, step, want, unwant };
}

function wantOf({ mask, includeFinished = false, resyncIntervalMs }: CoreWant, name: string): Want {
  const [fields, withoutBands] = [fieldsOf(mask), undefined];
  return { name, fields, includeFinished, withoutBands, isSlow: false, resyncIntervalMs };
}
