// Events of a watch, as many at once as have come.

import assert from "node:assert/strict";
import { PodsError } from "../../src/index.js";
import type { SourceBatch, SourceEvent } from "../../src/sources/pod-source.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { answer, envelope, serveHttp2 } from "../helpers/hostile.js";
import { type TestContext, test } from "../helpers/test.js";

const ADDED = envelope(Uint8Array.of(8, 1));
const SYNCED = envelope(Uint8Array.of(8, 4));
const BROKEN = envelope(Uint8Array.of(0x12, 200));

/** What a watch says of a body that comes in one piece, and the error it ends with. */
async function said(t: TestContext, body: Uint8Array) {
  const socketPath = await serveHttp2(t, (stream) => answer(stream, { body }));
  const api = new PodsApi({ socketPaths: [socketPath], maxMessageBytes: 1 << 20, handshakeTimeoutMs: 5_000 });
  t.after(() => api.close());
  const batches: string[] = [];
  let code: unknown;
  let hasPath = false;
  try {
    for await (const each of api.open(new AbortController().signal)) batches.push(typesOf(each));
  } catch (error) {
    assert.ok(PodsError.is(error));
    code = error.code;
    hasPath = error.socketPath === socketPath;
  }
  return { batches, code, hasPath };
}

function typesOf(each: SourceEvent | SourceBatch): string {
  return "type" in each ? each.type : each.map(({ type }) => type).join(" ");
}

test("yields events that arrive together as one batch, which the sync marker ends", async (t) => {
  const { batches, code } = await said(t, Buffer.concat([ADDED, ADDED, SYNCED, ADDED]));
  assert.deepEqual(batches, ["CONNECTED", "ADDED ADDED SYNCED", "ADDED"]);
  assert.equal(code, "connection-lost", "the stream has ended");
});

test("no batch has more than 256 events", async (t) => {
  const { batches } = await said(t, Buffer.concat([...Array.from({ length: 600 }, () => ADDED), SYNCED]));
  const sizes = batches.slice(1).map((batch) => batch.split(" ").length);
  assert.ok(Math.max(...sizes) <= 256, String(sizes));
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    601,
  );
});

test("yields the events before a corrupt message, and then throws", async (t) => {
  const { batches, code, hasPath } = await said(t, Buffer.concat([ADDED, ADDED, BROKEN, ADDED]));
  assert.deepEqual([batches, code, hasPath], [["CONNECTED", "ADDED ADDED"], "corrupt", true]);
});

test("yields the events before a rejected frame, and then throws", async (t) => {
  const compressed = envelope(Uint8Array.of(8, 1), 1);
  const { batches, code } = await said(t, Buffer.concat([ADDED, SYNCED, ADDED, compressed, ADDED]));
  assert.deepEqual([batches, code], [["CONNECTED", "ADDED SYNCED", "ADDED"], "wrong-peer"]);
});
