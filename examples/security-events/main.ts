// sensor | node --import tsx examples/security-events/main.ts: lines of JSON in, the same with pod and container out.
// In a container mount the host's /proc, share its PID namespace, and say where it is: HOST_PROC=/host/proc, and
// HOST_CGROUP=/host/sys/fs/cgroup for numbers of cgroups.

import { createInterface } from "node:readline";
import { nameEvents, type SensorEvent } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => process.stdin.destroy());

async function* events(): AsyncGenerator<SensorEvent> {
  for await (const line of createInterface(process.stdin)) {
    try {
      yield JSON.parse(line) as SensorEvent;
    } catch {
      console.error("a line is no JSON");
    }
  }
}

await nameEvents(events(), {
  signal: stop.signal,
  procRoot: process.env["HOST_PROC"] ?? "/proc",
  cgroupRoot: process.env["HOST_CGROUP"] ?? "/sys/fs/cgroup",
  emit: (event) => console.log(JSON.stringify(event)),
});
