// npm run types && node build/test/adversary/hunt.js: $LIVES lives from $LIFE on, new ones by default. Without a test runner, which costs as much
// again; adversary.test.ts runs it, too, and reads the last line.

import { linesOf, liveAll } from "./lives.js";

const first = Number(process.env["LIFE"] ?? Math.floor(Date.now() / 1_000));
const lives = Number(process.env["LIVES"] ?? 1_000);
console.log(`${lives} lives from ${first} on`);
const shown = await liveAll(first, lives);
for (const line of linesOf(shown)) console.log(line);
const { found, happened, medianFaults } = shown;
console.log(JSON.stringify({ found: [...found.keys()], happened: Object.fromEntries(happened), medianFaults }));
