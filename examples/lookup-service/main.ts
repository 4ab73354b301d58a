// npm run example lookup-service: listens on $LOOKUP_SOCKET for members of the group $LOOKUP_GROUP, until SIGTERM or SIGINT.

import { lookupService } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const { LOOKUP_SOCKET: path = "/run/kubelet-pods/lookup.sock", LOOKUP_GROUP: group } = process.env;
await lookupService({ path, signal: stop.signal, ...(group !== undefined && { group: Number(group) }) });
console.log(`curl --unix-socket ${path} 'http://node/pods'`);
