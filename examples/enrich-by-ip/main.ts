// npm run example enrich-by-ip: listens on $PORT, 8080 by default, until SIGTERM or SIGINT.

import { enricher } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const server = enricher({ signal: stop.signal });
server.listen(Number(process.env["PORT"] ?? 8080), () => console.log("listening on", server.address()));
