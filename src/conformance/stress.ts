import http2 from "node:http2";
import { connect } from "node:net";
import { pause } from "../timing/pause.js";
import { type Check, type Finding, fail, note, ok, type Subject } from "./check.js";
import { checkResourcesLimit } from "./pod-resources-checks.js";
import { RawClient } from "./raw-client.js";

/** Enough calls to use up the kubelet's burst (10, and 100 per second). */
const CALLS = 150;
const CONNECTIONS = 3;

/** The time in which the bucket has a few tokens again. */
const RECOVERY_MS = 200;

/** How long an immediate event may take. */
const WATCH_MS = 1_000;

/** More pings than grpc-go tolerates: the first, and two that come too early (maxPingStrikes). */
const PINGS = 5;

/** Checks that use up the kubelet's rate limit for everybody, or get a connection expelled. */
export const STRESS_CHECKS: readonly Check[] = [
  { name: "rate limit", run: checkLimit },
  { name: "pings", run: checkPings },
  { name: "podresources rate limit", run: checkResourcesLimit },
];

async function checkLimit({ socketPath, version, client, clock }: Subject): Promise<Finding> {
  const clients = Array.from({ length: CONNECTIONS }, () => new RawClient({ socketPath, clock }));
  try {
    await Promise.all(clients.map((each) => each.connect()));
    const calls = Array.from({ length: CALLS }, (_, i) => clients[i % CONNECTIONS]?.get("", version));
    const answers = await Promise.all(calls);
    client.requests += CALLS;
    const rejected = answers.filter((answer) => answer?.ok === false && answer.code === "ResourceExhausted");
    const texts = new Set(rejected.map((answer) => (answer?.ok === false ? answer.text : "")));
    if (rejected.length === 0) return note(`${CALLS} calls at once, none rejected`);
    const controller = new AbortController();
    const cancelTimer = clock.after(WATCH_MS, () => controller.abort());
    for await (const event of client.watch({ signal: controller.signal }, version)) {
      cancelTimer();
      if ("pod" in event || controller.signal.aborted) break; // the watch of the documented contract may have nothing to send
      return fail(`a watch is rejected too: ${event.code}`);
    }
    controller.abort();
    await pause(clock, RECOVERY_MS);
    const after = await client.list({}, version);
    if (!after.ok) return fail(`still ${after.code} ${RECOVERY_MS} ms later`);
    return ok(`${rejected.length} of ${CALLS} calls at once: ${[...texts].join(", ")}; watches are not limited`);
  } finally {
    await Promise.all(clients.map((each) => each[Symbol.asyncDispose]()));
  }
}

async function checkPings({ socketPath, version, client, clock }: Subject): Promise<Finding> {
  client.requests++;
  const session = http2.connect("http://localhost", { createConnection: () => connect(socketPath) });
  try {
    const ended = new Promise<string>((resolve) => {
      session.once("goaway", (code: number, _: number, data?: Buffer) => resolve(`GOAWAY ${code} ${data ?? ""}`));
      session.once("close", () => resolve("closed"));
    });
    session.on("error", () => {});
    const stream = session.request({
      ":method": "POST",
      ":path": `/${version?.service}/WatchPods`,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("error", () => {});
    stream.end(Buffer.alloc(5));
    stream.resume();
    await pause(clock, 200); // present pods have come, and the connection is quiet if the node is
    for (let i = 0; i < PINGS && !session.destroyed; i++) session.ping(() => {});
    let answer = "";
    const told = ended.then((how) => {
      answer = how;
    });
    await pause(clock, WATCH_MS, undefined, () => told);
    if (answer === "") return note(`${PINGS} pings on a quiet connection are tolerated`);
    return answer.includes("too_many_pings") ? ok(`${PINGS} on a quiet connection: ${answer}`) : note(answer);
  } finally {
    session.destroy();
  }
}
