// Clients beside a hostile peer for so many rounds.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forkModule } from "../helpers/programs.js";
import type { HostileOrder, HostileReport } from "./client-child.js";
import { HostilePeer } from "./peer.js";

/** What a client process may have of heap: it would be ended at more. */
const HEAP_MIB = 128;

/** What has come of each so many rounds, without end. @throws Error where the client's process ends. */
export async function* hostileRun(seed: number, rounds: number): AsyncGenerator<HostileReport> {
  const directory = mkdtempSync(join(tmpdir(), "hostile-"));
  const socketPath = join(directory, "s.sock");
  await using peer = await HostilePeer.start(socketPath, seed);
  const child = forkModule(import.meta, "client-child", {
    execArgv: ["--expose-gc", `--max-old-space-size=${HEAP_MIB}`],
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`the clients' process has ended (${code ?? signal}), seed ${seed}`);
  });
  ended.catch(() => {}); // it is told where it is waited for
  try {
    for (;;) {
      child.send({ socketPath, url: peer.url, rounds } satisfies HostileOrder);
      const [report] = (await Promise.race([once(child, "message"), ended])) as [HostileReport];
      yield report;
    }
  } finally {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}
