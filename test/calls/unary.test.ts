import assert from "node:assert/strict";
import { type Attempt, callUnary, type UnaryEnvironment } from "../../src/calls/unary.js";
import { Counters } from "../../src/counters.js";
import { callChannel, retryChannel } from "../../src/diagnostics.js";
import type { PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { Deadline } from "../../src/timing/deadline.js";
import { describe, test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";

const failWith = (code: PodsErrorCode) => () => Promise.reject(new PodsError({ code, message: "x" }));
const never: Attempt<never> = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** A call under a virtual clock; every delay is as long as it may be. */
function start<T>(
  attempt: Attempt<T>,
  call: { timeoutMs?: number | undefined; retry?: boolean } = {},
  environment: Partial<UnaryEnvironment> & { clock?: VirtualClock } = {},
) {
  const { clock = new VirtualClock() } = environment;
  const { timeoutMs, retry } = { timeoutMs: 10_000, retry: true, ...call };
  const controller = new AbortController();
  const deadline = new Deadline({ clock, signal: controller.signal, timeoutMs });
  let outcome: { value?: T; error?: unknown } | undefined;
  void callUnary(
    {
      clock,
      random: () => 1,
      counters: new Counters(),
      callsPerSecond: 80,
      describe: () => ({ socketPath: "/s", apiVersion: undefined }),
      socketChanged: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      ...environment,
    },
    { method: "ListPods", deadline, retry },
    attempt,
  )
    .finally(() => deadline.release())
    .then(
      (value) => {
        outcome = { value };
      },
      (error) => {
        outcome = { error };
      },
    );
  const failure = (): PodsError => {
    assert.ok(PodsError.is(outcome?.error), "the call has failed with a PodsError");
    return outcome.error;
  };
  return { clock, controller, outcome: () => outcome, failure };
}

describe("the timeout covers all attempts", () => {
  test("each attempt receives the remaining time", async () => {
    const given: (number | undefined)[] = [];
    const { clock, outcome } = start(async ({ timeoutMs }) => {
      given.push(timeoutMs);
      if (given.length < 3) throw new PodsError({ code: "connection-lost", message: "x" });
      return "answer";
    });
    await clock.advance(1_000);
    assert.deepEqual(given, [10_000, 9_900, 9_700]);
    assert.deepEqual(outcome(), { value: "answer" });
    assert.equal(clock.timers, 0);
  });

  test("the deadline rejects with the last error, the number of attempts and the time [#1]", async () => {
    const { clock, outcome, failure } = start(failWith("socket-missing"));
    await clock.advance(9_999);
    assert.equal(outcome(), undefined, "the socket may appear at any time");
    await clock.advance(1);
    const { code, attempts, elapsedMs, method, message } = failure();
    assert.deepEqual([code, elapsedMs, method], ["socket-missing", 10_000, "ListPods"]);
    assert.ok(attempts > 10 && attempts < 25, String(attempts));
    assert.match(message, /^socket-missing: x \(\d+ attempts in 10\.0 s\); /);
    assert.equal(clock.timers, 0);
  });

  test("an attempt that times out rejects with the error of the attempt before", async () => {
    let attempts = 0;
    const clock = new VirtualClock();
    const attempt = ({ timeoutMs = 0 }) =>
      new Promise<never>((_, reject) => {
        const isFirst = ++attempts === 1;
        const error = new PodsError({ code: isFirst ? "initializing" : "deadline", message: "x" });
        clock.after(isFirst ? 0 : timeoutMs - 1, () => reject(error)); // a timer of the attempt may be a little early
      });
    const { failure } = start(attempt, {}, { clock });
    await clock.advance(10_000);
    const { code, attempts: tried } = failure();
    assert.deepEqual([code, tried], ["initializing", 2]);
  });

  test("rejects at once if the next delay would exceed the timeout", async () => {
    const { clock, failure } = start(failWith("connection-lost"), { timeoutMs: 1_000 });
    await clock.advance(700); // after 100, 200 and 400 ms; 800 more would be too late
    const { code, attempts, elapsedMs } = failure();
    assert.deepEqual([code, attempts, elapsedMs], ["connection-lost", 4, 700]);
  });

  test("rejects with deadline and names the timeout if no attempt has failed", async () => {
    const { clock, failure } = start(never, { timeoutMs: 50 });
    await clock.advance(50);
    assert.match(failure().message, /^deadline: no answer within 50 ms; the kubelet may be frozen/);
  });

  test("a server's own deadline keeps its message and cause", async () => {
    for (const timeoutMs of [10_000, undefined]) {
      const cause = new Error("upstream");
      const refuse = async () => {
        throw new PodsError({ code: "deadline", message: "upstream timed out", cause });
      };
      const { clock, failure } = start(refuse, { timeoutMs });
      await clock.advance(10);
      const text =
        /^deadline: upstream timed out; timeoutMs was not over: a proxy, an interceptor or a source has a shorter limit$/;
      assert.match(failure().message, text);
      assert.equal(failure().cause, cause);
    }
    const codes = ["initializing", "deadline"] as const;
    let attempts = 0;
    const { clock, failure } = start(async () => {
      throw new PodsError({ code: codes[attempts++] ?? "unknown", message: "x" });
    });
    await clock.advance(1_000);
    assert.deepEqual([failure().code, attempts], ["deadline", 2], "also after another error");
  });

  test("an attempt that hangs rejects with the error of the attempt before", async () => {
    let first = true;
    const { clock, failure } = start((options) => {
      if (!first) return never(options);
      first = false;
      return failWith("connection-refused")();
    });
    await clock.advance(10_000);
    const { code, attempts } = failure();
    assert.deepEqual([code, attempts], ["connection-refused", 2]);
  });

  test("retries without end if there is no timeout", async () => {
    const { clock, outcome, controller } = start(failWith("initializing"), { timeoutMs: undefined });
    await clock.advance(24 * 3_600_000);
    assert.equal(outcome(), undefined);
    controller.abort("enough");
    await settle();
    assert.deepEqual(outcome(), { error: "enough" });
    assert.equal(clock.timers, 0);
  });
});

test("retry: false makes one attempt", async () => {
  const { clock, failure } = start(failWith("initializing"), { retry: false });
  await settle();
  const { code, attempts } = failure();
  assert.deepEqual([code, attempts, clock.timers], ["initializing", 1, 0]);
});

test("rejects errors that are not retryable at once", async () => {
  for (const code of ["not-permitted", "not-found", "wrong-peer", "too-large", "corrupt", "not-served"] as const) {
    const { failure } = start(failWith(code));
    await settle();
    assert.equal(failure().code, code);
  }
});

test("a socket change retries only calls that wait for the socket", async () => {
  for (const [code, woken] of [
    ["socket-missing", true],
    ["connection-refused", true],
    ["initializing", false],
  ] as const) {
    let attempts = 0;
    let change = () => {};
    const { clock } = start(
      async () => {
        attempts++;
        throw new PodsError({ code, message: "x" });
      },
      {},
      {
        socketChanged: () =>
          new Promise((resolve) => {
            change = resolve;
          }),
      },
    );
    await settle();
    change();
    await settle();
    assert.equal(attempts, woken ? 2 : 1, code);
    await clock.advance(10_000);
  }
});

test("an abort at any point rejects at once with its reason and leaves no timer [#72]", async () => {
  const points: [string, Attempt<never>, waitMs: number][] = [
    ["before the first attempt", never, 0],
    ["during an attempt", never, 500],
    ["in a pause after a lost connection", failWith("connection-lost"), 650],
    ["in a pause while the socket is away", failWith("socket-missing"), 5_000],
    ["while the kubelet initializes", failWith("initializing"), 3_333],
  ];
  for (const [where, attempt, waitMs] of points) {
    const { clock, controller, outcome } = start(attempt);
    if (waitMs > 0) await clock.advance(waitMs);
    assert.equal(outcome(), undefined, where);
    const reason = { where };
    controller.abort(reason);
    await settle();
    assert.equal(outcome()?.error, reason, where);
    assert.equal(clock.timers, 0, where);
  }
});

test("limits attempts while the kubelet initializes to two per second, later one per 2.5 s [#29]", async () => {
  const asked: number[] = [];
  const clock = new VirtualClock();
  const { controller } = start(
    async () => {
      asked.push(clock.now());
      throw new PodsError({ code: "initializing", message: "x" });
    },
    { timeoutMs: undefined },
    { clock, random: () => 0.5 },
  );
  await clock.advance(600_000);
  const within = (fromMs: number, toMs: number) => asked.filter((ms) => ms >= fromMs && ms < toMs).length;
  assert.ok(within(0, 60_000) <= 8 + 2.2 * 60, String(within(0, 60_000)));
  assert.ok(within(120_000, 600_000) <= 0.41 * 480, String(within(120_000, 600_000)));
  controller.abort();
  await settle();
});

test("diagnostics report calls and retries without response data", async (t) => {
  const published: unknown[] = [];
  const onRetry = (message: unknown) => published.push(structuredClone({ ...(message as object), error: undefined }));
  const subscribers = {
    start: (message: object) => published.push({ start: { ...message } }),
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (message: object) => published.push({ asyncEnd: { ...message } }),
    error: () => {},
  };
  retryChannel.subscribe(onRetry);
  callChannel.subscribe(subscribers);
  t.after(() => {
    retryChannel.unsubscribe(onRetry);
    callChannel.unsubscribe(subscribers);
  });
  let attempts = 0;
  const { clock } = start(async () => {
    if (++attempts === 1) throw new PodsError({ code: "connection-refused", message: "x" });
    return ["secret"];
  });
  await clock.advance(1_000);
  const call = { method: "ListPods", socketPath: "/s", apiVersion: undefined, timeoutMs: 10_000 };
  assert.deepEqual(published, [
    { start: { ...call, attempts: 0, durationMs: undefined } },
    { method: "ListPods", socketPath: "/s", attempt: 1, delayMs: 50, error: undefined },
    { asyncEnd: { ...call, attempts: 2, durationMs: 50, result: undefined } },
  ]);
});
