// npm run example oom-watch: a line for each end of a container, and /metrics on $PORT of $HOST, by default 9090 of this machine alone,
// until SIGTERM or SIGINT. $STATE_DIR, on a volume that outlives the container, keeps what comes while the agent restarts.

import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExitCounter, watchExits, workloadOf } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const counter = new ExitCounter();
const server = createServer((request, response) => {
  if (request.url === "/metrics") response.end(counter.metrics);
  else response.writeHead(request.url === "/healthz" ? 200 : 404).end();
});
const { HOST: host = "127.0.0.1", PORT: port = "9090" } = process.env;
server.listen(Number(port), host);
const { STATE_DIR: directory = join(tmpdir(), "oom-watch") } = process.env;
await watchExits({
  directory,
  signal: stop.signal,
  tell: (record) => {
    counter.count(record);
    const { namespace, name, container, end } = record;
    const code = end.exitCode === undefined ? "" : ` (${end.exitCode})`;
    console.log(`${namespace}/${name} ${container?.name} of ${workloadOf(record)}: ${end.reason}${code}`);
  },
});
server.close();
