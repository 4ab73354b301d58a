// npm run example enrich-by-ip: listens on $PORT of $HOST, by default 8080 of this machine alone, until SIGTERM or SIGINT. For pods of the
// node HOST is the node's address, or an interface that they reach.

import { enricher } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const server = enricher({ signal: stop.signal });
const { HOST: host = "127.0.0.1", PORT: port = "8080" } = process.env;
server.listen(Number(port), host, () => console.log("listening on", server.address()));
