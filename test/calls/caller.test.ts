// The calls of one client: which are made at all, which slow the others down, and how they are counted.

import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { Caller, type Endpoint } from "../../src/calls/caller.js";
import { PACING } from "../../src/calls/pacing.js";
import type { Attempt } from "../../src/calls/unary.js";
import { Counters } from "../../src/counters.js";
import { PodsError, type PodsErrorCode } from "../../src/index.js";
import { test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";

/** A caller of an endpoint that answers at once; `place` says where that is. */
function made(place: Pick<Endpoint, "socketPath" | "version"> = { socketPath: "/s" }) {
  const clock = new VirtualClock();
  const counters = new Counters();
  const endpoint: Endpoint = Object.assign(Object.create(place), {
    connect: async () => {},
    changed: () => new Promise(() => {}),
    close: async () => {},
  });
  const caller = new Caller(endpoint, { timeoutMs: 10_000, retry: false }, { clock, random: () => 1 }, counters);
  return { caller, clock, counters };
}

test("an already aborted signal prevents the call, which is not counted", async () => {
  const { caller, counters } = made();
  let attempts = 0;
  const call = caller.call("GetPod", { signal: AbortSignal.abort("before") }, async () => attempts++);
  assert.equal(await call.catch((reason) => reason), "before");
  assert.deepEqual([attempts, counters.counts.calls], [0, 0]);
});

test("only rate-limited errors delay later calls", async () => {
  for (const [code, waits] of [
    ["connection-lost", false],
    ["initializing", false],
    ["rate-limited", true],
  ] as [PodsErrorCode, boolean][]) {
    const { caller, clock } = made();
    const { signal } = new AbortController();
    const progress = { sent: 0, isQueued: false };
    await caller.turn(signal, progress);
    await assert.rejects(
      caller.sent(() => Promise.reject(new PodsError({ code, message: "x" })), progress),
      { code },
    );
    let hasTurn = false;
    const turn = caller.turn(signal, progress).then(() => {
      hasTurn = true;
    });
    await settle();
    assert.equal(hasTurn, !waits, code);
    await clock.advance(2_000 / PACING.ratePerSecond + 1);
    await turn;
  }
});

test("counts calls ended by close() as errors, but not calls aborted by their signal", async () => {
  const { caller, counters } = made();
  const hangs = ({ signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const user = new AbortController();
  const calls = [caller.call("GetPod", { signal: user.signal }, hangs), caller.call("ListPods", {}, hangs)].map(
    (call) => call.catch((error) => error),
  );
  await settle();
  user.abort(new PodsError({ code: "not-found", message: "another call's" }));
  await settle();
  await caller.close();
  const [aborted, closed] = await Promise.all(calls);
  assert.deepEqual([aborted.code, closed.code], ["not-found", "closed"]);
  assert.deepEqual([counters.counts.calls, counters.counts.errors], [2, { closed: 1 }]);
  await assert.rejects(
    caller.call("GetPod", {}, async () => "pod"),
    { code: "closed" },
  );
});

test("diagnostics report the socket and API version known at the end of a call", async (t) => {
  const told: unknown[] = [];
  const hear = (message: unknown) => {
    const { socketPath, apiVersion } = message as { socketPath: string; apiVersion: string | undefined };
    told.push([socketPath, apiVersion]);
  };
  const names = ["tracing:kubelet-pods:call:start", "tracing:kubelet-pods:call:asyncEnd"];
  for (const name of names) channel(name).subscribe(hear);
  t.after(() => {
    for (const name of names) channel(name).unsubscribe(hear);
  });
  for (const fails of [false, true]) {
    // Which socket is dialled, and which version it speaks, is found out on the way.
    let dialled: { socketPath: string; version?: string } = { socketPath: "/first" };
    const place = {
      get socketPath() {
        return dialled.socketPath;
      },
      get version() {
        return dialled.version;
      },
    };
    const { caller } = made(place);
    const call = caller.call("GetPod", {}, async () => {
      dialled = { socketPath: "/second", version: "v1" };
      if (fails) throw new PodsError({ code: "not-found", message: "x" });
      return "pod";
    });
    await call.catch(() => {});
  }
  const both = [
    ["/first", undefined],
    ["/second", "v1"],
  ];
  assert.deepEqual(told, [...both, ...both]);
});

test("a deadline error of a queued call names the client's rate limit", async () => {
  const { caller, clock } = made();
  const attempt: Attempt<void> = async ({ signal, progress }) => {
    await caller.turn(signal, progress);
    await caller.sent(() => Promise.resolve(), progress);
  };
  const calls = Array.from({ length: 100 }, () => caller.call("GetPod", { timeoutMs: 500 }, attempt).catch((e) => e));
  await clock.advance(500);
  const errors = (await Promise.all(calls)).filter((each) => each instanceof PodsError);
  const sent = PACING.burst + (PACING.ratePerSecond * 500) / 1_000;
  assert.ok(Math.abs(100 - errors.length - sent) <= 1, `${100 - errors.length}`);
  for (const { code, rawMessage, hint } of errors) {
    assert.equal(code, "deadline");
    assert.match(rawMessage, /the call was queued, because this client sends 80 calls per second \(sent so far: 0\)$/);
    assert.doesNotMatch(hint, /frozen/);
  }
});
