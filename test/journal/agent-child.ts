// An agent that writes a journal, tells what it is told by lines of JSON on standard output, and is killed.

import { writeSync } from "node:fs";
import { PodsClient } from "../../src/index.js";

const [socketPath = "", directory = ""] = process.argv.slice(2);
const pods = new PodsClient({ socketPath, standalone: true });
const informer = pods.informer({ mask: ["metadata.uid"], journal: { directory } });
const tell = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

async function watchLives(): Promise<void> {
  for await (const event of informer.watchContainers()) {
    if (event.type === "ENDED") tell({ id: event.container.containerID });
    if (event.type === "SYNCED") tell({ synced: true });
  }
}

void watchLives();
for await (const event of informer) if (event.type === "DELETED") tell({ uid: event.pod.metadata.uid });
