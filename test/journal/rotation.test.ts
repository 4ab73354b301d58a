// What goes from a journal: beyond its size, for its age; and what a reader is told of it. On real files.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { endOf, endsIn, journalOf, taken, temporary, writtenIn } from "../helpers/ends.js";
import { environmentOf } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

test("the oldest go beyond the size, and who asks for them is told so", async (t) => {
  const directory = temporary(t);
  const journal = journalOf(t, directory, { maxBytes: 64 * 1024 });
  await journal.open();
  for (let n = 0; n < 5_000; n++) {
    journal.append(endOf(n));
    if (n % 50 === 0) await journal.written();
  }
  await journal.close();
  const size = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  assert.ok(size <= 64 * 1024 + 16 * 1024, `${size}`);
  const all = endsIn(t, directory);
  const codes = (await taken(all)).map(({ end }) => end.exitCode ?? -1);
  assert.ok(codes.length > 50 && codes[0] === 4_999, `${codes.length}`);
  assert.deepEqual(
    codes,
    [...codes].sort((a, b) => b - a),
  );
  assert.equal(await all.truncated, true);
  const oldest = (await all.oldest) ?? assert.fail();
  assert.equal(oldest.getTime(), 1e12 + (codes.at(-1) ?? 0));
  assert.equal(await endsIn(t, directory, { since: oldest }).truncated, false);
  assert.equal(await endsIn(t, directory, { since: oldest.getTime() - 1 }).truncated, true);
  assert.equal(await endsIn(t, directory, { after: "0" }).truncated, true);
  const [newest] = await taken(endsIn(t, directory));
  assert.equal(await endsIn(t, directory, { after: newest?.seq }).truncated, false);
  // Another process knows it from the files.
  await writtenIn(t, directory, 1, { maxBytes: 64 * 1024 });
  assert.equal(await endsIn(t, directory).truncated, true);
});

test("what is too old goes, also where nothing is written", async (t) => {
  const directory = temporary(t);
  const { clock } = environmentOf(t);
  await writtenIn(t, directory, 3); // long ago, by the clock of this test
  const journal = journalOf(t, directory, { maxAgeMs: 1 });
  const files = readdirSync(directory);
  await journal.open();
  assert.ok(clock.wallMs() < Date.now() + 1e12);
  for (const name of files) {
    utimesSync(join(directory, name), 1, 1);
  }
  await new Promise((resolve) => clock.after(50, () => resolve(undefined)));
  await until(t, () => !readdirSync(directory).some((name) => files.includes(name)));
  assert.equal(await endsIn(t, directory).truncated, true);
  assert.deepEqual(await taken(endsIn(t, directory)), []);
  await journal.close();
});

test("many ends at once fill file after file: what goes is the oldest", async (t) => {
  const directory = temporary(t);
  const journal = journalOf(t, directory, { maxBytes: 1024 * 1024 });
  for (let n = 0; n < 5_000; n++) journal.append(endOf(n)); // before it is open, as an informer's first list is
  await journal.open();
  await journal.close();
  const codes = (await taken(endsIn(t, directory, { after: "0" }))).map(({ end }) => Number(end.exitCode));
  assert.ok(codes.length > 1_500 && codes.length < 5_000, `${codes.length} fit`);
  assert.deepEqual(
    codes,
    codes.map((_, n) => 5_000 - codes.length + n),
  );
});

test("a follower that is slower than the removal of files is told so", async (t) => {
  const directory = temporary(t);
  const journal = journalOf(t, directory, { maxBytes: 64 * 1024 });
  await journal.open();
  journal.append(endOf(0));
  await journal.written();
  const follower = endsIn(t, directory, { follow: true })[Symbol.asyncIterator]();
  const { value } = await follower.next();
  for (let n = 1; n < 1_000; n++) journal.append(endOf(n));
  await journal.written();
  await assert.rejects(follower.next(), { code: "dropped", message: /removed for their age or their size before/ });
  const rest = endsIn(t, directory, { after: value?.seq });
  assert.equal(await rest.truncated, true);
  assert.equal((await taken(rest)).at(-1)?.end.exitCode, 999, "what is there is read from its cursor");
  await journal.close();
});

test("a cursor misses nothing of two writers, however the time of day is set", async (t) => {
  const directory = temporary(t);
  const { clock } = environmentOf(t);
  let wallMs = 2e12;
  const clockOf = () => ({ now: () => clock.now(), wallMs: () => wallMs, after: clock.after.bind(clock) });
  const [early, late] = [clockOf(), clockOf()].map((each) => journalOf(t, directory, { clock: each }));
  await early?.open();
  await late?.open();
  let n = 0;
  let seq = "0";
  const seen: unknown[] = [];
  const steps = [0, -3_600_000, 1_000, 7_200_000, -90_000, -90_000, 3_600_000];
  for (const stepMs of steps) {
    for (const journal of [late, early, late]) {
      wallMs += stepMs / 3;
      journal?.append(endOf(++n));
      await journal?.written();
      if (n % 2 === 0) continue;
      for (const record of await taken(endsIn(t, directory, { after: seq }))) {
        seen.push(record.end.exitCode);
        seq = record.seq;
      }
    }
  }
  assert.deepEqual(
    seen.sort((a, b) => Number(a) - Number(b)),
    Array.from({ length: n }, (_, k) => k + 1),
  );
  await early?.close();
  await late?.close();
  // A socket with the name of a file of the journal stops nobody.
  const { createServer } = await import("node:net");
  const server = createServer().listen(join(directory, "ended.0-0.1-a.1.jsonl"));
  t.after(() => server.close());
  mkdirSync(join(directory, "ended.0-0.1-b.1.jsonl"));
  const again = journalOf(t, directory);
  assert.equal((await again.open()).length, n);
  assert.equal(again.state.error, undefined);
  await again.close();
});

test("a record that says more is written after a restart, too, and a pod that was not admitted once", async (t) => {
  const directory = temporary(t);
  const made = endOf(1, { end: { ...endOf(1).record.end, exitCode: undefined, finishedAt: undefined } });
  const rejected = endOf(2, {
    container: undefined,
    end: { ...endOf(2).record.end, reason: "rejected", finishedAt: undefined, startedAt: new Date(5e11) },
  });
  for (const [end, learnedMs] of [
    [made, 1e12],
    [endOf(1), 1e12 + 60_000],
    [rejected, 1e12],
    [rejected, 1e12 + 600_000],
  ] as const) {
    const journal = journalOf(t, directory);
    await journal.open();
    journal.append({ ...end, record: { ...end.record, learnedAt: new Date(learnedMs) } });
    await journal.close();
  }
  const records = await taken(endsIn(t, directory, { after: "0" }));
  assert.deepEqual(
    records.map(({ end, learnedAt }) => [end.reason, end.exitCode, learnedAt.getTime()]),
    [
      ["exited", 1, 1e12 + 60_000],
      ["rejected", 2, 1e12],
    ],
  );
});
