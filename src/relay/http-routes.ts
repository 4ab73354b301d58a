import { invalidArgument, PodsError } from "../errors/pods-error.js";
import type { Answer, At } from "../lookup/answer.js";
import type { PodKey } from "../lookup/pod-key.js";
import { podMask } from "../pod/mask.js";
import { doorMetrics } from "./door-metrics.js";
import type { DoorView } from "./door-view.js";
import type { ShownPod } from "./shown-pods.js";

/** A request, and the means to answer it. */
export interface HttpCall {
  readonly view: DoorView;
  /** The name in the path. */
  readonly name: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
  /** Aborts when the reader has disconnected. */
  readonly signal: AbortSignal;
  /** Answers with JSON. A string must be JSON text already. */
  send(status: number, body: unknown): void;
  text(status: number, body: string): void;
  /** Sends a line of a streamed answer; resolves when there is room for the next. */
  line(text: string): Promise<void>;
  end(): void;
}

/** The handler of one path. */
export interface HttpRoute {
  readonly parameters: readonly string[];
  /** True for probes, which are answered in every state and not counted. */
  readonly isOpen?: boolean;
  answer(call: HttpCall): void | Promise<void>;
}

const KEYS = [
  "uid",
  "containerID",
  "containerName",
  "restartCount",
  "namespace",
  "name",
  "ip",
  "cgroupID",
  "netns",
] as const;

/** The longest wait, in milliseconds. */
const MAX_WAIT_MS = 300_000;

/** How many requests may wait at one door. */
const MAX_WAITS = 1_000;

/** The most ends in one answer. */
const MAX_ENDS = 1_000;

/** All paths. */
export const HTTP_ROUTES: Readonly<Record<string, HttpRoute>> = {
  "/healthz": { parameters: [], isOpen: true, answer: ({ text }) => text(200, "ok\n") },
  "/readyz": {
    parameters: [],
    isOpen: true,
    answer({ view, text }) {
      const { unready } = view;
      text(unready === undefined ? 200 : 503, `${unready?.message ?? "ok"}\n`);
    },
  },
  "/metrics": { parameters: [], isOpen: true, answer: ({ view, text }) => text(200, doorMetrics(view)) },
  "/v1alpha1/pods": {
    parameters: [],
    answer({ view, send }) {
      const unreadable = view.unreadable();
      const pods: string[] = [];
      for (const { json, uid } of view.pods.list()) {
        if (json === undefined) unreadable.push(uid);
        else pods.push(json);
      }
      send(200, `{${standing(view)},"unreadable":${JSON.stringify(unreadable)},"pods":[${pods.join(",")}]}`);
    },
  },
  "/v1alpha1/pods/{uid}": {
    parameters: [],
    answer({ view, name = "", send }) {
      const pod = view.pods.get(name);
      if (pod?.json === undefined)
        return send(404, `{${standing(view)},"error":{"code":"not-found","message":"no pod with this UID is shown"}}`);
      send(200, `{${standing(view)},"pod":${pod.json}}`);
    },
  },
  "/v1alpha1/find": {
    parameters: [...KEYS, "at"],
    answer({ view, parameters, send }) {
      checkKey(view, parameters);
      const at = atOf(parameters);
      send(200, answerText(view, view.pods.find(keyOf(parameters), at === undefined ? {} : { at })));
    },
  },
  "/v1alpha1/wait": {
    parameters: [...KEYS, "at", "timeoutMs"],
    async answer({ view, parameters, signal, send }) {
      checkKey(view, parameters);
      const at = atOf(parameters);
      const timeoutMs = numberOf(parameters, "timeoutMs") ?? 30_000;
      if (timeoutMs < 1 || timeoutMs > MAX_WAIT_MS) throw invalidArgument(`timeoutMs: from 1 to ${MAX_WAIT_MS}`);
      if (view.counts.waiting >= MAX_WAITS)
        throw new PodsError({ code: "overloaded", message: `${MAX_WAITS} wait at this door already` });
      view.counts.waiting++;
      try {
        const found = await view.pods.waitFor(keyOf(parameters), {
          timeoutMs,
          signal,
          ...(at !== undefined && { at }),
        });
        send(200, answerText(view, found));
      } catch (error) {
        // The informer's own message counts pods that this door may hide.
        const isLate = PodsError.is(error) && error.code === "deadline";
        throw isLate
          ? new PodsError({ code: "deadline", message: `not found within ${timeoutMs} ms`, hint: "" })
          : error;
      } finally {
        view.counts.waiting--;
      }
    },
  },
  "/v1alpha1/watch": {
    parameters: [],
    async answer({ view, signal, line, end }) {
      for await (const event of view.watch(signal)) {
        if ("pod" in event) {
          const { json, uid } = event.pod;
          await line(
            `{"type":"${event.type}",${json === undefined ? `"unreadable":${JSON.stringify([uid])}` : `"pod":${json}`}}`,
          );
        } else if (event.type === "SYNCED") {
          const { initial, count } = event;
          await line(JSON.stringify({ type: "SYNCED", initial, count, unreadable: view.unreadable() }));
        } else await line(JSON.stringify({ type: "DISCONNECTED", code: event.error.code }));
      }
      end();
    },
  },
  "/v1alpha1/ended": {
    parameters: ["uid", "namespace", "name", "containerID", "since", "after"],
    async answer({ view, parameters, signal, send }) {
      if (!showsStatus(view)) throw hiddenStatus();
      if (view.informer.state.journal === undefined)
        throw invalidArgument(
          "this relay has no journal",
          "it is run with --journal DIRECTORY, or on an informer with one",
        );
      const { namespaces } = view.door.shown;
      const since = numberOf(parameters, "since");
      const asked = Object.fromEntries([...parameters].filter(([name]) => name !== "since"));
      const ended = view.informer.ended({ ...asked, signal, ...(since !== undefined && { since }) });
      const ends: unknown[] = [];
      for await (const record of ended) {
        if (namespaces?.includes(record.namespace) === false) continue;
        ends.push(record);
        if (ends.length === MAX_ENDS) break;
      }
      const truncated = ends.length === MAX_ENDS || (await ended.truncated);
      send(200, `{${standing(view)},"truncated":${truncated},"ends":${JSON.stringify(ends)}}`);
    },
  },
};

/** Writes the fields of every answer: what the door shows, and whether that is complete and current. */
function standing(view: DoorView): string {
  const { mask, namespaces } = view.door.shown;
  const scope = JSON.stringify({ namespaces: namespaces ?? null, mask: mask.paths });
  return `"scope":${scope},"complete":${view.pods.isComplete()},"staleSince":${JSON.stringify(view.staleSince ?? null)}`;
}

/** Writes an answer. It has no count of hidden pods. */
function answerText(view: DoorView, { pod, container, certainty, doubt, others, gone }: Answer<ShownPod>): string {
  const counted = view.door.shown.namespaces === undefined ? { others } : {};
  const isShown = showsStatus(view);
  const facts = JSON.stringify({
    certainty,
    doubt: doubt ?? null,
    ...counted,
    container: (isShown ? container : undefined) ?? null,
    gone: gone === undefined ? null : { ...gone, end: isShown ? gone.end : undefined },
  });
  return `{${standing(view)},"pod":${pod?.json ?? "null"},${facts.slice(1)}`;
}

const STATUS = podMask("status");

function showsStatus(view: DoorView): boolean {
  return view.door.shown.mask.covers(STATUS);
}

function hiddenStatus(): PodsError {
  return new PodsError({
    code: "not-permitted",
    message: "this door does not show status",
    hint: "ask at another door",
  });
}

/** @throws PodsError `not-permitted` for a key that is in the status, if the door does not show the status. */
function checkKey(view: DoorView, parameters: ReadonlyMap<string, string>): void {
  if (
    showsStatus(view) ||
    [...parameters.keys()].every((name) => ["uid", "namespace", "name", "at", "timeoutMs"].includes(name))
  )
    return;
  throw hiddenStatus();
}

function keyOf(parameters: ReadonlyMap<string, string>): PodKey {
  const key: Record<string, unknown> = {};
  for (const name of KEYS) {
    const value = parameters.get(name);
    if (value === undefined) continue;
    if (name === "restartCount") key[name] = numberOf(parameters, name);
    else key[name] = name === "cgroupID" || name === "netns" ? bigintOf(name, value) : value;
  }
  if (Object.keys(key).length === 0) throw invalidArgument(`a key is expected: ${KEYS.join(", ")}`);
  return key as PodKey;
}

/** Reads a time: milliseconds since 1970, a time in RFC 3339, or `monotonic:` with nanoseconds of the monotonic clock. */
function atOf(parameters: ReadonlyMap<string, string>): At | undefined {
  const text = parameters.get("at");
  if (text === undefined) return undefined;
  const [, ns] = /^monotonic:(\d{1,20})$/.exec(text) ?? [];
  if (ns !== undefined) return { monotonicNs: BigInt(ns) };
  if (/^\d{1,16}(\.\d{1,9})?$/.test(text)) return Number(text);
  const date = new Date(/^\d{4}-\d\d-\d\dT/.test(text) && text.length < 50 ? text : Number.NaN);
  if (Number.isNaN(date.getTime()))
    throw invalidArgument("at: neither milliseconds since 1970 nor a time as RFC 3339 has it");
  return date;
}

function numberOf(parameters: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalidArgument(`${name}: a whole number is expected`);
  return Number(text);
}

function bigintOf(name: string, text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw invalidArgument(`${name}: a whole number is expected`);
  return BigInt(text);
}
