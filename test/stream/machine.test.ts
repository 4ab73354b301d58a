import assert from "node:assert/strict";
import { Code, ConnectError } from "@connectrpc/connect";
import type { PodsErrorCode } from "../../src/errors/error-code.js";
import { PodsError } from "../../src/errors/pods-error.js";
import type { Effect } from "../../src/stream/effect.js";
import { WatchMachine } from "../../src/stream/machine.js";
import { describe, test } from "../helpers/test.js";

const failed = (code: PodsErrorCode, grpcCode?: number) =>
  ({ type: "failed", error: new PodsError({ code, message: "x", grpcCode }) }) as const;
const SYNCED = { type: "synced", listInMs: undefined, hasGap: false, isAccepted: true } as const;

/** A machine whose every delay is as long as it may be. */
function make(random = () => 1) {
  const machine = new WatchMachine({ resyncIntervalMs: 100_000, random });
  const timerOf = (effects: Effect[]) => {
    const timer = effects.filter((effect) => effect.type === "timer").at(-1);
    return timer?.type === "timer" ? timer.delayMs : undefined;
  };
  const kinds = (effects: Effect[]) =>
    effects.map(({ type }) => type).filter((type) => type !== "timer" && type !== "retry");
  const live = (nowMs = 0) => {
    machine.step({ type: "start" }, nowMs);
    machine.step({ type: "connected", connection: "1" }, nowMs);
    return machine.step(SYNCED, nowMs);
  };
  return { machine, timerOf, kinds, live };
}

test("a stream is opened, connected, live, and listed beside after the resync interval", () => {
  const { machine, timerOf, kinds } = make();
  assert.deepEqual(kinds(machine.step({ type: "start" }, 0)), ["open"]);
  assert.equal(timerOf(machine.step({ type: "connected", connection: "1", canList: true }, 0)), 10_000);
  assert.equal(timerOf(machine.step({ type: "message" }, 0)), 30_000);
  const synced = machine.step(SYNCED, 0);
  assert.deepEqual([machine.phase, kinds(synced), timerOf(synced)], ["live", ["synced"], 120_000]);
  const resync = machine.step({ type: "timer" }, 120_000);
  assert.deepEqual([kinds(resync), timerOf(resync)], [["list"], undefined], "the time limit begins when it is sent");
  assert.equal(timerOf(machine.step({ type: "sent" }, 120_100)), 10_000);
  assert.equal(timerOf(machine.step({ type: "bytes" }, 120_200)), 30_000);
  assert.deepEqual(kinds(machine.step(SYNCED, 120_300)), [], "a resync is silent");
  assert.deepEqual(kinds(machine.step({ type: "stop" }, 0)), ["close"]);
  assert.deepEqual(machine.step({ type: "start" }, 0), [], "the end is the end");
});

describe("a stream without messages is stalled [#14 #15 #39 #60]", () => {
  const cases: [what: string, until: ("message" | "none")[]][] = [
    ["before the first message", []],
    ["within the list, without a sync marker", ["message"]],
  ];
  for (const [what, messages] of cases) {
    test(what, () => {
      const { machine } = make();
      machine.step({ type: "start" }, 0);
      machine.step({ type: "connected", connection: "1" }, 0);
      for (const _ of messages) machine.step({ type: "message" }, 0);
      const lost = machine.step({ type: "timer" }, 30_000).find((effect) => effect.type === "lost");
      assert.ok(lost?.type === "lost" && lost.error.code === "stalled" && lost.error.retryable);
      assert.equal(lost.error.method, "WatchPods");
      assert.match(lost.error.message, messages.length > 0 ? /no sync marker/ : /no first message/);
      assert.equal(machine.phase, "waiting");
    });
  }
});

describe("longest delays by error [#7 #8 #12 #28 #30 #33 #35 #36 #87 #88]", () => {
  const cases: [error: ReturnType<typeof failed>, delays: number[]][] = [
    [failed("socket-missing"), [50, 100, 200, 400, 800, 1_000, 1_000]],
    [failed("connection-refused"), [50, 100, 200]],
    [failed("connection-lost"), [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]],
    [failed("server-error", 13), [100, 200, 400]],
    [failed("initializing"), [250, 500, 1_000, 1_000]],
    [failed("dropped"), [100, 2_000, 4_000]],
    [failed("rate-limited"), [1_200, 1_200, 1_200]],
    [failed("not-a-socket"), [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]],
    [failed("too-large"), [100, 30_000, 30_000]], // the first may be a length that was damaged on its way
    [failed("server-error", 3), [30_000, 30_000]],
  ];
  for (const [error, delays] of cases) {
    test(`${error.error.code}${error.error.grpcCode ? ` (${error.error.grpcCode})` : ""}`, () => {
      const { machine, timerOf } = make();
      machine.step({ type: "start" }, 0);
      const seen = delays.map(() => {
        const delay = timerOf(machine.step(error, 0));
        machine.step({ type: "timer" }, 0);
        return delay;
      });
      assert.deepEqual(seen, delays);
    });
  }

  test("delays reset only after a stream was live for 30 seconds", () => {
    for (const [liveMs, expected] of [
      [29_000, 200],
      [30_000, 100],
    ] as const) {
      const { machine, timerOf, live } = make();
      machine.step({ type: "start" }, 0);
      machine.step(failed("connection-lost"), 0);
      machine.step({ type: "timer" }, 90_000);
      live(90_000);
      assert.equal(timerOf(machine.step(failed("connection-lost"), 90_000 + liveMs)), expected);
    }
  });

  test("an outage is reported once, and again when its class changes; SYNCED follows it", () => {
    const { machine, kinds, live } = make();
    live();
    const outage = ["connection-lost", "connection-refused", "socket-missing", "initializing", "initializing"] as const;
    const told = outage.map((code, i) => {
      const nowMs = 1_000 * i;
      const effects = kinds(machine.step(failed(code), nowMs));
      machine.step({ type: "timer" }, nowMs);
      machine.step({ type: "connected", connection: "2" }, nowMs);
      return effects.includes("lost");
    });
    assert.deepEqual(told, [true, true, false, true, false]);
    assert.deepEqual(machine.step(SYNCED, 5_000).at(-1), { type: "synced" });
  });
});

test("a permanent error is fatal before the first SYNCED, and an outage after it [#5 #34]", () => {
  for (const code of ["not-permitted", "wrong-peer", "not-served", "invalid-path"] as const) {
    const first = make();
    first.machine.step({ type: "start" }, 0);
    assert.deepEqual(first.kinds(first.machine.step(failed(code), 0)), ["close", "fatal"]);
    assert.equal(first.machine.phase, "ended");
    const later = make();
    later.live();
    assert.deepEqual(later.kinds(later.machine.step(failed(code), 0)), ["close", "lost"]);
  }
});

test("opens a stream at once when the socket is replaced, after any error", () => {
  for (const code of ["connection-lost", "initializing", "too-large", "not-served"] as const) {
    const { machine, kinds, live } = make();
    live();
    for (let i = 0; i < 5; i++) {
      machine.step(failed(code), 0);
      machine.step({ type: "timer" }, 0);
    }
    machine.step(failed(code), 0);
    assert.deepEqual(kinds(machine.step({ type: "socket", replaced: true }, 0)), ["open"]);
  }
});

test("a change in the socket's directory starts the next stream at once if there was no server", () => {
  for (const [code, woken] of [
    ["socket-missing", true],
    ["initializing", false],
  ] as const) {
    const { machine, kinds } = make();
    machine.step({ type: "start" }, 0);
    machine.step(failed(code), 0);
    assert.deepEqual(kinds(machine.step({ type: "socket", replaced: false }, 0)), woken ? ["open"] : []);
  }
});

for (const [when, step] of [
  ["before the first message", undefined],
  ["within the list", { type: "message" }],
] as const) {
  test(`a possible gap ${when} replaces the stream two seconds after its list`, () => {
    const { machine, timerOf } = make();
    machine.step({ type: "start" }, 0);
    machine.step({ type: "connected", connection: "1" }, 0);
    if (step !== undefined) machine.step(step, 0);
    assert.deepEqual(machine.step({ type: "gap" }, 0), []);
    assert.equal(timerOf(machine.step(SYNCED, 0)), 2_000);
  });
}

test("a possible gap replaces the stream soon, and with growing delays while gaps continue [#48 #58]", () => {
  const { machine, timerOf, live } = make();
  live();
  assert.equal(timerOf(machine.step({ type: "gap" }, 0)), 2_000);
  assert.deepEqual(machine.step({ type: "gap" }, 0), [], "once per stream");
  const delays: (number | undefined)[] = [];
  for (let i = 1; i <= 7; i++) {
    machine.step({ type: "timer" }, 1_000 * i);
    machine.step({ type: "connected", connection: "1" }, 1_000 * i);
    delays.push(timerOf(machine.step({ ...SYNCED, hasGap: true }, 1_000 * i)));
  }
  assert.deepEqual(delays, [4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 100_000]);
  for (const [nowMs, delayMs] of [
    [10_000, 100_000],
    [220_000, 2_000],
  ] as const) {
    machine.step({ type: "timer" }, nowMs);
    machine.step({ type: "connected", connection: "1" }, nowMs);
    assert.equal(timerOf(machine.step(SYNCED, nowMs)), 120_000);
    const late = timerOf(machine.step({ type: "gap" }, nowMs));
    assert.equal(late, delayMs, "only two resync intervals without a gap resets the delay");
  }
});

test("replaces no stream within half a second of its list", () => {
  for (const reason of [{ type: "relist" }, { type: "socket", replaced: true }, { type: "interval", ms: 1 }] as const) {
    const { machine, timerOf, live } = make(() => 0);
    live(5_000);
    assert.equal(timerOf(machine.step(reason, 5_100)), 400);
  }
});

test("replaces a stream whose list lacks requested fields", () => {
  for (const messages of [0, 1]) {
    const { machine, kinds } = make();
    machine.step({ type: "start" }, 0);
    machine.step({ type: "connected", connection: "1" }, 0);
    for (let i = 0; i < messages; i++) machine.step({ type: "message" }, 0);
    assert.deepEqual(kinds(machine.step({ type: "relist" }, 0)), ["close", "open"]);
  }
});

test("keeps a live stream until the rate limit allows another one", () => {
  const { machine, timerOf, kinds, live } = make();
  live();
  for (let i = 0; i < 4; i++) {
    machine.step({ type: "timer" }, 0);
    machine.step({ type: "connected", connection: "1" }, 0);
    machine.step(SYNCED, 0);
  }
  const effects = machine.step({ type: "timer" }, 0);
  assert.deepEqual([kinds(effects), timerOf(effects), machine.phase], [[], 500, "live"]);
  assert.deepEqual(kinds(machine.step({ type: "timer" }, 500)), ["close", "open"], "its source cannot list beside it");
});

describe("a list beside the stream", () => {
  const listing = () => {
    const made = make();
    const { machine } = made;
    machine.step({ type: "start" }, 0);
    machine.step({ type: "connected", connection: "1", canList: true }, 0);
    machine.step(SYNCED, 0);
    machine.step({ type: "timer" }, 120_000);
    machine.step({ type: "sent" }, 120_000);
    return made;
  };
  const unlisted = (code: Parameters<typeof failed>[0]) => ({ ...failed(code), type: "unlisted" }) as const;

  test("is sent again after a refusal, and the stream continues", () => {
    const { machine, timerOf, kinds } = listing();
    const refused = machine.step(unlisted("rate-limited"), 120_000);
    assert.deepEqual([kinds(refused), timerOf(refused), machine.phase], [[], 50, "live"]);
    assert.deepEqual(kinds(machine.step({ type: "timer" }, 120_050)), ["list"]);
  });

  test("without an answer ends the stream ten seconds after it was sent", () => {
    const { machine } = listing();
    const lost = machine.step({ type: "timer" }, 130_000).find((effect) => effect.type === "lost");
    assert.ok(lost?.type === "lost" && lost.error.code === "stalled" && lost.error.method === "ListPods");
    assert.match(lost.error.message, /no answer to a list/);
  });

  test("that is too large, or that the connection does not accept, opens the next stream without an outage", () => {
    for (const input of [unlisted("too-large"), { type: "unlisted" } as const]) {
      const { machine, kinds } = listing();
      assert.deepEqual(kinds(machine.step(input, 120_000)), ["close", "open"]);
    }
  });

  test("fails with the stream if it fails otherwise", () => {
    const { machine, kinds } = listing();
    assert.deepEqual(kinds(machine.step(unlisted("connection-lost"), 120_000)), ["close", "lost"]);
  });

  test("is followed by one more for each possible gap and each difference, after growing delays", () => {
    const { machine, timerOf } = listing();
    assert.equal(timerOf(machine.step({ ...SYNCED, hasDifference: true }, 120_000)), 2_000);
    machine.step({ type: "timer" }, 122_000);
    machine.step({ type: "sent" }, 122_000);
    machine.step({ type: "gap" }, 122_100);
    assert.equal(timerOf(machine.step({ ...SYNCED, hasDifference: true }, 122_200)), 2_000, "gaps count apart");
    machine.step({ type: "timer" }, 124_200);
    machine.step({ type: "sent" }, 124_200);
    assert.equal(timerOf(machine.step({ ...SYNCED, hasDifference: true }, 124_200)), 8_000);
  });

  test("delays what is due meanwhile until it is answered, and no new stream", () => {
    const { machine, timerOf, kinds } = listing();
    assert.deepEqual(machine.step({ type: "relist" }, 121_000), []);
    assert.equal(timerOf(machine.step(SYNCED, 122_000)), 500);
    assert.deepEqual(kinds(listing().machine.step({ type: "reopen" }, 121_000)), ["close", "open"]);
  });

  test("that is refused for a minute is replaced by a stream", () => {
    const { machine, kinds } = listing();
    for (let nowMs = 120_000; nowMs < 180_000; nowMs += 20_000) {
      assert.deepEqual(kinds(machine.step(unlisted("rate-limited"), nowMs)), []);
      machine.step({ type: "timer" }, nowMs + 10_000);
      machine.step({ type: "sent" }, nowMs + 10_000);
    }
    assert.deepEqual(kinds(machine.step(unlisted("rate-limited"), 180_000)), ["close", "open"]);
  });

  test("fails after two minutes although bytes come, and ignores bytes of an earlier one", () => {
    const { machine, timerOf, kinds } = listing();
    for (let nowMs = 120_000; nowMs < 240_000; nowMs += 20_000) machine.step({ type: "bytes" }, nowMs);
    assert.equal(timerOf(machine.step({ type: "timer" }, 239_000)), 1_000);
    assert.deepEqual(kinds(machine.step({ type: "timer" }, 240_000)), ["close", "lost"]);
    const other = listing().machine;
    other.step(SYNCED, 121_000);
    assert.deepEqual(other.step({ type: "bytes" }, 121_001), []);
    assert.deepEqual(kinds(other.step({ type: "timer" }, 241_000)), ["list"]);
  });
});

test("stops in every phase", () => {
  const until: Record<string, (machine: WatchMachine) => void> = {
    idle: () => {},
    opening: (machine) => machine.step({ type: "start" }, 0),
    burst: (machine) => {
      machine.step({ type: "start" }, 0);
      machine.step({ type: "message" }, 0);
    },
    live: (machine) => {
      machine.step({ type: "start" }, 0);
      machine.step(SYNCED, 0);
    },
    waiting: (machine) => {
      machine.step({ type: "start" }, 0);
      machine.step(failed("socket-missing"), 0);
    },
  };
  for (const [phase, go] of Object.entries(until)) {
    const { machine, kinds } = make();
    go(machine);
    assert.equal(machine.phase, phase);
    const effects = machine.step({ type: "stop" }, 0);
    assert.deepEqual(kinds(effects), ["close"]);
    assert.deepEqual([machine.phase, effects.at(-1)], ["ended", { type: "timer", delayMs: undefined }]);
  }
});

test("waits at least as long as the server's retry pushback [#37]", () => {
  for (const [pushback, expected] of [
    ["20000", 20_000],
    ["1", 100],
    ["-1", 100],
  ] as const) {
    const { machine, timerOf } = make();
    machine.step({ type: "start" }, 0);
    const cause = new ConnectError("x", Code.Unavailable, { "grpc-retry-pushback-ms": pushback });
    const error = new PodsError({ code: "connection-lost", message: "x", cause });
    assert.equal(timerOf(machine.step({ type: "failed", error }, 0)), expected);
  }
});

test("a shorter interval applies to the live stream, a longer one to the next stream", () => {
  const { machine, timerOf, live } = make(() => 0.5);
  live();
  assert.equal(timerOf(machine.step({ type: "interval", ms: 20_000 }, 5_000)), 15_000);
  assert.deepEqual(machine.step({ type: "interval", ms: 60_000 }, 6_000), []);
  assert.equal(timerOf(machine.step({ type: "interval", ms: 1_000 }, 7_000)), 0, "it is due already");
  machine.step({ type: "timer" }, 7_000);
  machine.step({ type: "connected", connection: "1" }, 7_000);
  assert.equal(timerOf(machine.step(SYNCED, 7_000)), 1_000);
  const late = make(() => 1);
  late.live(1_000);
  assert.equal(late.timerOf(late.machine.step({ type: "interval", ms: 20_000 }, 2_000)), 23_000, "plus 20 %");
});

test("a list is not stalled while messages arrive", () => {
  const { machine, timerOf } = make();
  machine.step({ type: "start" }, 0);
  machine.step({ type: "connected", connection: "1" }, 0);
  assert.equal(timerOf(machine.step({ type: "message" }, 0)), 30_000);
  assert.deepEqual(machine.step({ type: "message" }, 29_000), [], "no timer per message");
  assert.equal(timerOf(machine.step({ type: "timer" }, 30_000)), 29_000);
  machine.step({ type: "timer" }, 59_000);
  assert.equal(machine.phase, "waiting");
});

test("gives up a source that never connects", () => {
  const { machine, timerOf } = make();
  assert.equal(timerOf(machine.step({ type: "start" }, 0)), 30_000);
  const lost = machine.step({ type: "timer" }, 30_000).find((effect) => effect.type === "lost");
  assert.ok(lost?.type === "lost" && lost.error.code === "stalled");
  assert.match(lost.error.message, /no connection/);
});

describe("rate limit of five streams at once and two per second", () => {
  /** Streams that are asked for within ten seconds, where something happens every so many milliseconds. */
  function asked(everyMs: number, happen: (machine: WatchMachine, nowMs: number) => Effect[]): number {
    const machine = new WatchMachine({ resyncIntervalMs: 100_000, random: () => 0 });
    let dueMs = Number.POSITIVE_INFINITY;
    let streams = 0;
    const take = (effects: Effect[], nowMs: number) => {
      for (const effect of effects) {
        if (effect.type === "timer") dueMs = nowMs + (effect.delayMs ?? Number.POSITIVE_INFINITY);
        if (effect.type !== "open") continue;
        streams++;
        take(machine.step({ type: "connected", connection: String(streams) }, nowMs), nowMs);
      }
    };
    take(machine.step({ type: "start" }, 0), 0);
    for (let nowMs = 0; nowMs <= 10_000; nowMs++) {
      if (nowMs >= dueMs) {
        dueMs = Number.POSITIVE_INFINITY;
        take(machine.step({ type: "timer" }, nowMs), nowMs);
      }
      if (nowMs % everyMs === 0) take(happen(machine, nowMs), nowMs);
    }
    return streams;
  }
  const most = 5 + 2 * 10;

  test("limits streams that end as soon as they are opened", () => {
    const streams = asked(10, (machine, nowMs) => machine.step(failed("connection-lost"), nowMs));
    assert.ok(streams > 15 && streams <= most, `${streams}`);
  });

  test("limits streams to a socket that is replaced every 60 ms", () => {
    const streams = asked(60, (machine, nowMs) => [
      ...machine.step(SYNCED, nowMs),
      ...machine.step({ type: "socket", replaced: true }, nowMs),
    ]);
    assert.ok(streams > 15 && streams <= most, `${streams}`);
  });

  test("limits streams for listeners that each request more fields", () => {
    const streams = asked(20, (machine, nowMs) => [
      ...machine.step({ type: "message" }, nowMs),
      ...machine.step({ type: "relist" }, nowMs),
      ...(nowMs % 1_000 === 980 ? machine.step(SYNCED, nowMs) : []),
    ]);
    assert.ok(streams > 10 && streams <= most, `${streams}`);
  });

  test("does not count failed connections", () => {
    const { machine, kinds } = make();
    machine.step({ type: "start" }, 0);
    for (let i = 0; i < 50; i++) {
      machine.step(failed("socket-missing"), i);
      machine.step({ type: "timer" }, i);
    }
    machine.step(failed("socket-missing"), 50);
    assert.deepEqual(kinds(machine.step({ type: "socket", replaced: true }, 50)), ["open"]);
  });
});

describe("completeness of a stream's list", () => {
  const begin = (effects: Effect[]) => effects.find((effect) => effect.type === "begin");

  test("is limited to the connection on which the kubelet was initializing", () => {
    const { machine, live } = make();
    live();
    machine.step(failed("connection-lost"), 0);
    const connect = (connection: string | undefined) => {
      machine.step({ type: "timer" }, 0);
      return begin(machine.step({ type: "connected", connection }, 0));
    };
    assert.equal(connect("2")?.complete, false);
    machine.step(failed("initializing"), 0);
    assert.equal(connect("2")?.complete, true, "the same connection");
    machine.step(failed("connection-lost"), 0);
    assert.equal(connect("3")?.complete, false, "the next one may lead to another process");
    machine.step(failed("initializing"), 0);
    assert.equal(connect(undefined)?.complete, false, "one that cannot be named");
  });

  test("is not assumed on a connection without an `initializing` error", () => {
    const { machine, live } = make();
    live();
    for (let i = 0; i < 2; i++) {
      machine.step(failed("connection-lost"), 0);
      machine.step({ type: "timer" }, 0);
      assert.equal(begin(machine.step({ type: "connected", connection: "1" }, 0))?.complete, false);
    }
  });

  test("is not assumed if the `initializing` error came before the connection", () => {
    const { machine, live } = make();
    live();
    machine.step({ type: "timer" }, 120_000);
    machine.step(failed("initializing"), 120_000);
    machine.step({ type: "timer" }, 130_000);
    assert.equal(begin(machine.step({ type: "connected", connection: "1" }, 130_000))?.complete, false);
  });

  test("is not assumed for a first stream", () => {
    for (const connection of ["1", undefined]) {
      const { machine } = make();
      machine.step({ type: "start" }, 0);
      assert.equal(begin(machine.step({ type: "connected", connection }, 0))?.complete, false);
    }
  });
});
