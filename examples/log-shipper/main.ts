// npm run example log-shipper: lines of JSON, until SIGTERM or SIGINT. In a container mount the host's
// /var/log/pods and, for $STATE_FILE, a directory that outlives the container.

import { shipLogs } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const { LOG_ROOT: logRoot, STATE_FILE: stateFile = "log-shipper.json" } = process.env;
await shipLogs({
  stateFile,
  signal: stop.signal,
  ...(logRoot !== undefined && { logRoot }),
  emit: (lines) => {
    process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  },
});
