// It alone finds what only bytes that nobody thought of bring about: a process that ends, an error without words.

import assert from "node:assert/strict";
import { test } from "../helpers/test.js";
import { hostileRun } from "./hostile-run.js";

test("the client survives a peer that sends arbitrary bytes and reports a described error", async (t) => {
  const ROUNDS = 25;
  for await (const { counts, wrong, rssMiB } of hostileRun(1, ROUNDS)) {
    t.diagnostic(`${ROUNDS} rounds, ${rssMiB.toFixed(0)} MiB: ${JSON.stringify(counts)}`);
    assert.deepEqual(wrong, []);
    for (const code of ["answered", "wrong-peer", "corrupt", "too-large"]) assert.ok((counts[code] ?? 0) > 0, code);
    return;
  }
});
