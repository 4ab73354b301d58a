// npm run example oom-watch: prints a line for each container end, and serves /metrics on $HOST:$PORT, by default localhost:9090, until
// SIGTERM or SIGINT. The journal is in $STATE_DIRECTORY, by default in oom-watch below the directory for temporary files.

import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ExitCounter, watchEnds, workloadText } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const counter = new ExitCounter();
const server = createServer((request, response) => {
  if (request.url === "/metrics") response.end(counter.metrics);
  else response.writeHead(request.url === "/healthz" ? 200 : 404).end();
});
const { HOST: host = "127.0.0.1", PORT: port = "9090" } = process.env;
server.listen(Number(port), host);
await watchEnds({
  directory: process.env["STATE_DIRECTORY"] ?? join(tmpdir(), "oom-watch"),
  signal: stop.signal,
  report(record) {
    counter.count(record);
    const { namespace, name, container, end } = record;
    const code = end.exitCode === undefined ? "" : ` (${end.exitCode})`;
    const lost = end.oom === "process" ? ", after the kernel had killed a process of it for memory" : "";
    console.log(`${namespace}/${name} ${container?.name} of ${workloadText(record)}: ${end.reason}${code}${lost}`);
  },
});
server.close();
