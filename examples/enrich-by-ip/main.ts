// npm run example enrich-by-ip: listens on $HOST:$PORT, by default localhost:8080, until SIGTERM or SIGINT. To serve pods, set HOST to the
// node's address.

import { enricher } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const server = enricher({ signal: stop.signal });
const { HOST: host = "127.0.0.1", PORT: port = "8080" } = process.env;
server.listen(Number(port), host, () => console.log("listening on", server.address()));
