// An agent as README recommends it, or one that asks again and again; on SIGTERM it prints what it took.

import { PodsClient, podMasks } from "../../dist/index.js";

const [way, socketPath] = process.argv.slice(2);
const pods = new PodsClient({ socketPath });
const mask = podMasks.readiness;
let told = 0;

if (way === "watch") {
  const informer = pods.informer({ mask });
  await informer.synced();
  void (async () => {
    for await (const _ of informer) told++;
  })().catch(() => {});
} else {
  const poll = async () => {
    told += (await pods.listPods({ mask })).length;
  };
  await poll();
  setInterval(poll, 10_000);
}

const begun = process.cpuUsage();
console.log("ready");
setInterval(() => {}, 60_000);
process.once("SIGTERM", async () => {
  const { user, system } = process.cpuUsage(begun);
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, rssMiB: process.memoryUsage().rss / 2 ** 20, told }));
  await pods.close();
  process.exit();
});
