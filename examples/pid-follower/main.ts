// npm run example pid-follower. In a container mount the host's /proc, set hostPID, and say where it is: HOST_PROC=/host/proc.

import { followProcesses, type PodProcess } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());

const line = ({ pid, namespace, pod, container }: PodProcess) =>
  `${pid} ${namespace}/${pod}/${container ?? "(sandbox)"}`;
await followProcesses({
  procRoot: process.env["HOST_PROC"] ?? "/proc",
  signal: stop.signal,
  started: (each) => console.log("started", line(each)),
  ended: (each) => console.log("ended  ", line(each)),
}).catch((error) => {
  if (error !== stop.signal.reason) throw error;
});
