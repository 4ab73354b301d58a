// node --import tsx examples/enrich-by-ip/main.ts: listens on $PORT, 8080 by default, until SIGTERM or SIGINT.

import { enricher } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const socketPath = process.env["PODS_SOCKET"];
const server = enricher({ signal: stop.signal, ...(socketPath !== undefined && { socketPath }) });
server.listen(Number(process.env["PORT"] ?? 8080), () => console.log("listening on", server.address()));
