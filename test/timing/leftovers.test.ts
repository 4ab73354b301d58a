// What an operation leaves behind when it is over, however it ends: no listener, no timer, no watcher, no entry. [T3]

import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { renameSync, watch as watchFiles, writeFileSync } from "node:fs";
import http2 from "node:http2";
import { join } from "node:path";
import { Caller, type Endpoint } from "../../src/calls/caller.js";
import { Pacer } from "../../src/calls/pacer.js";
import { PACING } from "../../src/calls/pacing.js";
import { SharedRequest } from "../../src/calls/shared-request.js";
import { PodsError } from "../../src/errors/pods-error.js";
import type { Found } from "../../src/lookup/answer.js";
import type { LearnedEnd } from "../../src/lookup/key-interval.js";
import { KeyWait, tooLate } from "../../src/lookup/key-wait.js";
import { Retention } from "../../src/lookup/retention.js";
import { Waiters } from "../../src/lookup/waiters.js";
import { follow, onAbort, orAborted } from "../../src/timing/abort.js";
import { systemClock } from "../../src/timing/clock.js";
import { Deadline } from "../../src/timing/deadline.js";
import { Wakers } from "../../src/timing/wakers.js";
import { UnixSession } from "../../src/wire/session.js";
import { SocketWatch, type WatchDirectory } from "../../src/wire/socket-watch.js";
import { AutoAdvanceClock } from "../helpers/auto-advance-clock.js";
import { endSession } from "../helpers/hostile.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { leftBy, NOTHING_LEFT } from "../helpers/leftovers.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { settle, VirtualClock } from "../helpers/virtual-clock.js";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;
const outcome = (promise: Promise<unknown>) => promise.catch((error) => error);

/** Runs an operation, each time on a new signal; it has to leave that as it was, and nothing elsewhere. */
async function check(run: (signal: AbortSignal, abort: () => void) => unknown): Promise<void> {
  const left = await leftBy(async () => {
    const user = new AbortController();
    await run(user.signal, () => user.abort("enough"));
    await settle();
    assert.equal(listeners(user.signal), 0, "the user's signal has no listener left");
  });
  assert.deepEqual(left, NOTHING_LEFT);
}

describe("a signal", () => {
  test("has one listener for all handlers, and none after the last is released", () => {
    const { signal } = new AbortController();
    const releases = [onAbort(signal, () => {}), onAbort(signal, () => {})];
    assert.equal(listeners(signal), 1);
    releases[0]?.();
    releases[0]?.();
    assert.equal(listeners(signal), 1, "a second release does not remove the other handler");
    releases[1]?.();
    assert.equal(listeners(signal), 0);
    const later = onAbort(signal, () => {});
    releases[1]?.();
    const last = onAbort(signal, () => {});
    assert.equal(listeners(signal), 1, "a late release does not remove a handler added later");
    later();
    last();
    assert.equal(listeners(signal), 0);
  });

  test("calls handlers that are added after all others were released", () => {
    const user = new AbortController();
    const heard: string[] = [];
    onAbort(user.signal, () => heard.push("never"))();
    onAbort(user.signal, () => heard.push("first"));
    const release = onAbort(user.signal, () => heard.push("second"));
    release();
    user.abort();
    assert.deepEqual(heard, ["first"]);
  });

  test("loses the listener of follow() on release", () => check((signal) => follow(signal).release()));

  test("loses the listener of orAborted() on resolve, reject or abort", async () => {
    await check((signal) => orAborted(Promise.resolve(1), signal));
    await check((signal) => outcome(orAborted(Promise.reject(new Error("x")), signal)));
    await check(async (signal, abort) => {
      const waiting = outcome(orAborted(new Promise((resolve) => setImmediate(resolve)), signal));
      abort();
      assert.equal(await waiting, "enough");
    });
    await check((signal, abort) => {
      abort();
      return outcome(orAborted(new Promise(() => {}), signal));
    });
  });
});

test("a deadline has no timer once lifted, up or released, and no listener once released", async () => {
  for (const end of ["lift", "up", "release"] as const) {
    const clock = new VirtualClock();
    const { signal } = new AbortController();
    const deadline = new Deadline({ clock, signal, timeoutMs: 1_000 });
    if (end === "lift") deadline.lift();
    if (end === "up") await clock.advance(1_000);
    if (end !== "release") assert.equal(clock.timers, 0, end);
    deadline.release();
    assert.deepEqual([clock.timers, listeners(signal)], [0, 0], end);
  }
});

describe("a wait for a change leaves no listener", () => {
  for (const end of ["wake", "abort"] as const) {
    test(`ended by ${end}`, () => {
      const wakers = new Wakers();
      return check(async (signal, abort) => {
        const changed = outcome(wakers.changed(signal));
        if (end === "wake") wakers.wake();
        else abort();
        await changed;
      });
    });
  }
});

describe("a wait for a key", () => {
  const found = { pod: {} } as Found<object>;
  const ends: Record<string, (wait: KeyWait<object>, clock: VirtualClock, abort: () => void) => unknown> = {
    "that finds the pod": (wait) => wait.look(),
    "that times out": (_, clock) => clock.advance(1_000),
    "that is aborted": (_wait, _clock, abort) => abort(),
    "that is closed": (wait) => wait.end(new Error("closed")),
  };
  for (const [who, end] of Object.entries(ends)) {
    test(`${who} leaves no entry, timer or listener`, () => {
      const clock = new VirtualClock();
      const waiters = new Waiters(clock);
      const waits = new Set<KeyWait<object>>();
      let key = 0;
      return check(async (signal, abort) => {
        const options = {
          key: `uid ${++key}`,
          timeoutMs: 1_000,
          signal,
          find: () => found,
          late: () => tooLate(1_000, ""),
        };
        const wait = new KeyWait(options, waiters, waits);
        assert.deepEqual([waiters.size, waits.size, clock.timers, listeners(signal)], [1, 1, 1, 1]);
        const settled = outcome(wait.promise);
        await end(wait, clock, abort);
        await settled;
        assert.deepEqual([waiters.size, waits.size, clock.timers, listeners(signal)], [0, 0, 0, 0]);
      });
    });
  }

  test("whose condition throws leaves no entry or listener", () => {
    const waiters = new Waiters(new VirtualClock());
    return check(async (signal) => {
      const find = () => {
        throw new Error("the caller's own");
      };
      const options = { key: "uid a", timeoutMs: undefined, signal, find, late: () => 1 };
      const wait = new KeyWait<object>(options, waiters, new Set());
      wait.look();
      assert.match(String(await outcome(wait.promise)), /the caller's own/);
      assert.equal(waiters.size, 0);
    });
  });
});

test("Retention forgets each end once and applies the limits of the remaining options", () => {
  const retention = new Retention();
  const forgotten: number[] = [];
  const endOf = (nth: number) => ({ atMs: nth, untilMs: nth, listedMs: nth, cause: "finished", nth }) as const;
  const keep = (nth: number, end: LearnedEnd = endOf(nth)) => retention.keep(end, 100, () => forgotten.push(nth));
  const [short, long] = [
    { retainMs: 10, maxRetained: 5 },
    { retainMs: 1_000, maxRetained: 3 },
  ];
  for (const want of [short, long]) retention.add(want);
  for (let nth = 1; nth <= 4; nth++) keep(nth);
  retention.evict(20, 400);
  assert.deepEqual([forgotten, retention.size, retention.dueMs], [[], 4, 1_001]);
  retention.delete(long);
  retention.evict(13, 400);
  assert.deepEqual([forgotten, retention.size], [[1, 2, 3], 1]);
  keep(5);
  keep(6);
  retention.evict(13, 300);
  assert.deepEqual(forgotten, [1, 2, 3], "forgotten ends use no space");
  retention.evict(13, 299);
  assert.deepEqual(forgotten, [1, 2, 3, 4]);
  retention.delete(short);
  retention.evict(13, 400);
  assert.deepEqual(
    [forgotten, retention.size, retention.dueMs, retention.isOn],
    [[1, 2, 3, 4, 5, 6], 0, undefined, false],
  );
  const end = endOf(7);
  for (let time = 0; time < 2; time++) {
    keep(7, end);
    assert.equal(retention.size, 1, "a forgotten end can be retained again");
    retention.evict(13, 400);
  }
  assert.deepEqual(forgotten.slice(6), [7, 7]);
});

describe("a call", () => {
  for (const end of ["answers", "fails", "is aborted", "is out of time", "is tried again", "is woken"] as const) {
    test(`that ${end} leaves nothing in its client, on its signal or on its clock`, () => {
      const clock = new VirtualClock();
      const endpoint: Endpoint = {
        socketPath: "/s",
        connect: async () => {},
        changed: async (signal) => {
          if (end !== "is woken") await outcome(orAborted(new Promise(() => {}), signal));
        },
        close: async () => {},
      };
      const caller = new Caller(endpoint, { timeoutMs: 1_000, retry: true }, { clock, random: () => 1 });
      return check(async (signal, abort) => {
        let attempts = 0;
        const within: number[] = [];
        const call = caller.call("GetPod", { signal }, async (attempt) => {
          attempts++;
          within.push(listeners(attempt.signal));
          await caller.turn(attempt.signal, attempt.progress);
          if (end === "answers" || attempts > 3) return "pod";
          if (end === "fails") throw new PodsError({ code: "not-found", message: "x" });
          if (end === "is tried again" || end === "is woken")
            throw new PodsError({ code: "socket-missing", message: "x" });
          return orAborted(new Promise<string>(() => {}), attempt.signal);
        });
        const settled = outcome(call);
        await settle();
        if (end === "is aborted") abort();
        if (end === "is out of time") await clock.advance(1_000);
        if (end === "is tried again") await clock.advance(900);
        await settled;
        assert.deepEqual([clock.timers, Math.max(...within)], [0, 0], "no attempt leaves a listener for the next one");
        await clock.advance(60_000); // the pace has recovered
      });
    });
  }

  test("that is aborted in the queue leaves no entry and no timer", () => {
    const clock = new VirtualClock();
    const pacer = new Pacer(clock);
    return check(async (signal, abort) => {
      for (let i = 0; i < PACING.burst; i++) await pacer.take(signal);
      const waiting = [pacer.take(signal), pacer.take(signal)].map((turn) => outcome(Promise.resolve(turn)));
      assert.deepEqual([clock.timers, listeners(signal)], [1, 2]);
      await clock.advance(1_000 / PACING.ratePerSecond + 1);
      assert.deepEqual([clock.timers, listeners(signal)], [1, 1]);
      abort();
      assert.deepEqual(await Promise.all(waiting), [undefined, "enough"]);
      assert.deepEqual([clock.timers, listeners(signal)], [0, 0]);
      await clock.advance(60_000);
    });
  });

  test("that shares a request leaves no listener", () => {
    const shared = new SharedRequest<string>(
      () => Promise.resolve(),
      async () => "pods",
    );
    return check((signal) =>
      shared.attempt({ signal, timeoutMs: undefined, progress: { sent: 0, isQueued: false }, mask: undefined }),
    );
  });
});

describe("a wait for the socket", () => {
  /** Watches that only the test wakes, and how many are open. */
  function watches() {
    const open = new Set<(name: string | null) => void>();
    const watchDirectory: WatchDirectory = (directory, onEvent) => {
      if (directory === "/proc") throw new Error("inotify limit");
      const on = () => ({}) as never;
      open.add(onEvent);
      return { on, close: () => open.delete(onEvent) };
    };
    return { open, watchDirectory };
  }
  const tell = (open: Set<(name: string | null) => void>) => [...open].forEach((event) => void event(null));

  for (const end of ["a change", "an abort", "an abort just after a change", "an abort before it"] as const) {
    test(`ended by ${end} leaves no watch or listener, even if one directory cannot be watched`, () => {
      const { open, watchDirectory } = watches();
      const clock = new AutoAdvanceClock();
      const watch = new SocketWatch(["/proc/a.sock", "/tmp/b.sock", "/dev/c.sock"], () => {}, clock, watchDirectory);
      return check(async (signal, abort) => {
        if (end === "an abort before it") abort();
        const changed = watch.changed(signal);
        if (!signal.aborted) assert.equal(open.size, 2);
        if (end !== "an abort") tell(open);
        if (end.startsWith("an abort")) abort();
        await changed;
        assert.deepEqual([open.size, clock.timers], [0, 0]);
      });
    });
  }

  test("resolves only for the name of the socket, and reports once that directories cannot be watched", async () => {
    const errors = new Set<() => void>();
    const events = new Set<(name: string | null) => void>();
    let unavailable = 0;
    const clock = new AutoAdvanceClock();
    const watch = new SocketWatch(
      ["/tmp/a.sock", "/dev/b.sock"],
      () => unavailable++,
      clock,
      (_, onEvent) => {
        events.add(onEvent);
        return { on: (name: string, fn: () => void) => name === "error" && errors.add(fn), close: () => {} } as never;
      },
    );
    const changed = watch.changed(new AbortController().signal);
    for (const fail of errors) fail();
    assert.deepEqual([errors.size, unavailable], [2, 1]);
    for (const event of events) event("other");
    assert.equal(clock.timers, 0);
    for (const event of events) event("a.sock");
    assert.equal(clock.timers, 1);
    await changed;
  });

  test("closes the watches of real directories", async (t: TestContext) => {
    const directory = temporaryDirectory(t);
    const [from, to] = [join(directory, "x"), join(directory, "a.sock")] as const;
    writeFileSync(from, "");
    const closed: string[] = [];
    const watch = new SocketWatch(
      [to],
      () => {},
      systemClock,
      (watched, onEvent) => {
        const watcher = watchFiles(watched, (_, name) => onEvent(name));
        return watcher.once("close", () => closed.push(watched));
      },
    );
    const { signal } = new AbortController();
    const changed = watch.changed(signal);
    renameSync(from, to);
    await changed;
    await settle();
    assert.deepEqual(closed, [directory]);
    assert.equal(listeners(signal), 0);
  });
});

describe("a connection", () => {
  for (const end of ["the peer", "the client", "a missing socket"] as const) {
    test(`ended by ${end} leaves no entry and no timer`, async (t) => {
      // A server of its own: the helpers' remember their connections.
      const server = http2.createServer().on("stream", ({ session }) => endSession(session));
      t.after(() => server.close());
      const socketPath = join(temporaryDirectory(t), "s.sock");
      server.listen(socketPath);
      await once(server, "listening");
      const path = end === "a missing socket" ? `${socketPath}.none` : socketPath;
      let over = () => {};
      const onEvent = ({ type }: { type: string }) => {
        if (type === "closed" || type === "failed") over();
      };
      const left = await leftBy(async () => {
        const closed = new Promise<void>((resolve) => {
          over = resolve;
        });
        const session = new UnixSession({ socketPath: () => path, handshakeTimeoutMs: 100_000, onEvent });
        const connection = await session.connect().catch(() => undefined);
        if (end === "the peer")
          connection
            ?.request("POST", "/", {}, {})
            .on("error", () => {})
            .end();
        if (end === "the client") await session.close();
        await closed;
        assert.equal(session.ready(), undefined);
      });
      assert.deepEqual(left, NOTHING_LEFT);
    });
  }
});
