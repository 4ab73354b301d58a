// An agent as a user writes one. It lists, keeps an informer, and watches over a restart of the kubelet.

import { PodsClient } from "kubelet-pods";

async function main() {
  const pods = new PodsClient();
  const mask = ["metadata.name"];
  const list = await pods.listPods({ mask });
  const informer = pods.informer({ mask });
  await informer.synced();
  const told = [];
  for await (const event of pods.watchPods({ mask })) {
    if (event.type === "ADDED") told.push(event.pod.metadata.name);
    if (event.type !== "SYNCED") continue;
    if (!event.initial) break;
    console.log("synced"); // the kubelet is restarted now
  }
  const found = informer.find({ ip: "10.244.1.15" });
  console.log(list.length, told.length, found?.pod.metadata.name);
  await pods.close();
}

main();
