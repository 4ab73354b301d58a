// A journal on disks that are full, read-only or replaced, and with clocks that are set: what waits, what is kept, and what is said.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EndQueue } from "../../src/journal/end-queue.js";
import { type EndRecord, keyOf, textOf } from "../../src/journal/end-record.js";
import { type Disk, JournalFiles } from "../../src/journal/journal-files.js";
import { readJournal } from "../../src/journal/read-journal.js";
import { RecordReader } from "../../src/journal/record-reader.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { forkModule } from "../helpers/programs.js";
import { type TestContext, test } from "../helpers/test.js";
import { VirtualClock } from "../helpers/virtual-clock.js";
import { endOf } from "./ends.js";
import type { Starved } from "./no-descriptors.js";

const canMount = process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0;

interface Given {
  readonly clock?: VirtualClock;
  readonly maxBytes?: number;
  readonly disk?: Disk;
}

function journal(directory: string, { clock = new VirtualClock(), maxBytes = 1_048_576, disk }: Given = {}) {
  const files = new JournalFiles(directory, maxBytes, () => clock.wallMs(), disk);
  const queue = new EndQueue(files, clock, () => {});
  /** Lets retries come until something is so. */
  const until = async (is: () => boolean) => {
    for (let i = 0; !is(); i++) {
      if (i % 50 === 0) await clock.advance(30_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { files, queue, clock, until };
}

async function codesIn(directory: string): Promise<(number | undefined)[]> {
  const codes: (number | undefined)[] = [];
  for await (const { end } of readJournal({ directory })) codes.push(end.exitCode);
  return codes.sort((a = 0, b = 0) => a - b);
}

function bytesIn(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

/** A file system of 256 KiB, for as long as the test runs. */
function tmpfs(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "kubelet-pods-"));
  assert.equal(spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", directory]).status, 0);
  t.after(() => {
    spawnSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true });
  });
  return directory;
}

test("keeps written ends while the disk is full, and later writes those that waited", {
  skip: !canMount && "needs root and unshare",
}, async (t) => {
  const disk = tmpfs(t);
  const directory = join(disk, "ends");
  const { queue, clock, until } = journal(directory);
  for (const code of upTo(5)) queue.add(endOf(code));
  await until(() => queue.size === 0);
  const names = readdirSync(directory);
  writeFileSync(join(disk, "filler"), Buffer.alloc(4_096));
  assert.throws(() => writeFileSync(join(disk, "rest"), Buffer.alloc(1_048_576)), { code: "ENOSPC" });
  for (const code of upTo(10_200)) {
    queue.add(endOf(5 + code, { namespace: code < 20 ? "quiet" : "shop" }));
    if (code % 10 > 0) continue;
    await clock.advance(30_000);
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => queue.error !== undefined);
  assert.match(queue.error?.message ?? "", /^storage: .*ENOSPC; free space on its file system/);
  assert.deepEqual([queue.size, queue.size + queue.dropped + queue.written], [10_000, 10_205]);
  assert.ok(readdirSync(directory).length <= names.length + 1, `${readdirSync(directory)}`);
  assert.equal((await codesIn(directory)).filter((code) => (code as number) < 5).length, 5);
  unlinkSync(join(disk, "filler"));
  rmSync(join(disk, "rest"));
  await clock.advance(30_000);
  await until(() => queue.error === undefined || queue.size < 10_000);
  const quiet: EndRecord[] = [];
  await until(() => queue.size < 9_900);
  for await (const end of readJournal({ directory, namespace: "quiet" })) quiet.push(end);
  assert.equal(quiet.length, 20, "keeps the ends of a namespace with few ends");
  await queue.close();
});

test("reports a read-only disk, and writes the waiting ends once it is writable", {
  skip: !canMount && "needs root and unshare",
}, async (t) => {
  const directory = tmpfs(t);
  const { queue, until } = journal(directory);
  queue.add(endOf(0));
  await until(() => queue.size === 0);
  assert.equal(spawnSync("mount", ["-o", "remount,ro", directory]).status, 0);
  queue.add(endOf(1));
  await until(() => queue.error !== undefined);
  assert.match(queue.error?.message ?? "", /EROFS; mount its file system with write access/);
  assert.deepEqual(await codesIn(directory), [0]);
  spawnSync("mount", ["-o", "remount,rw", directory]);
  await until(() => queue.size === 0);
  assert.deepEqual([queue.error, await codesIn(directory)], [undefined, [0, 1]]);
});

for (const [at, operation] of [
  ["write", "a write"],
  ["sync", "fdatasync"],
] as const)
  test(`repeats no line while ${operation} fails, and writes the ends afterwards`, async (t) => {
    const directory = join(temporaryDirectory(t), "ends");
    let failures = 0;
    const fail = () => {
      failures++;
      throw Object.assign(new Error("EIO"), { code: "EIO" });
    };
    const disk: Disk = {
      open,
      // A short write, and then the error.
      write: async (handle, text) => {
        if (at === "write" && failures < 40) {
          await handle.writeFile(text.subarray(0, text.length / 2));
          fail();
        }
        await handle.writeFile(text);
      },
      sync: async (handle) => {
        if (at === "sync" && failures < 40) fail();
        await handle.datasync();
      },
    };
    const { queue, until } = journal(directory, { disk, maxBytes: 65_536 });
    for (const code of upTo(300)) queue.add(endOf(code));
    await until(() => failures >= 35);
    assert.equal(queue.error?.code, "storage");
    assert.ok(bytesIn(directory) < 8_192, `${bytesIn(directory)} bytes are left of ${failures} attempts`);
    await until(() => queue.size === 0);
    assert.ok(bytesIn(directory) <= 65_536 + 2 * 8_192, `${bytesIn(directory)} bytes`);
    const codes = await codesIn(directory);
    assert.deepEqual([codes.at(-1), codes.length > 60, queue.dropped], [299, true, 0]);
  });

test("makes room before each retry if bytes of failed writes stay behind", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  let failures = 0;
  const disk: Disk = {
    open: async (path, flags, mode) => {
      const handle = await open(path, flags, mode);
      handle.truncate = () => Promise.reject(new Error("EIO"));
      return handle;
    },
    write: async (handle, text) => {
      await handle.writeFile(text);
      if (++failures <= 300) throw Object.assign(new Error("EIO"), { code: "EIO" });
    },
    sync: (handle) => handle.datasync(),
  };
  const { queue, until } = journal(directory, { disk, maxBytes: 65_536 });
  queue.add(endOf(1));
  await until(() => failures > 0);
  for (const code of upTo(10)) queue.add(endOf(code));
  let most = 0;
  await until(() => {
    most = Math.max(most, bytesIn(directory));
    return queue.size === 0;
  });
  assert.ok(failures > 300 && most <= 65_536 + 16_384, `${most} bytes after ${failures} attempts`);
});

test("keeps at most 10,000 files, and removes the oldest ones", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { files } = journal(directory);
  await files.check();
  const nameOf = (order: number) => `${String(order).padStart(16, "0")}.0badcafe.shop.ends`;
  for (const order of upTo(10_020)) writeFileSync(join(directory, nameOf(order)), "x");
  await files.evict();
  const names = readdirSync(directory).sort();
  assert.deepEqual([names.length, names[0]], [10_000, nameOf(20)]);
});

test("waiting ends cost the same, whatever their number", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  mkdirSync(directory, { mode: 0o777 });
  chmodSync(directory, 0o777); // so that every write fails
  const { queue, until } = journal(directory);
  queue.add(endOf(0));
  await until(() => queue.error !== undefined);
  const first = process.cpuUsage();
  for (const code of upTo(30_000)) queue.add(endOf(code, { namespace: `ns-${code % 300}` }));
  const { user, system } = process.cpuUsage(first);
  assert.deepEqual([queue.size, queue.dropped], [10_000, 20_001]);
  // Where each end looked at all others, it took 0.2 to 5 ms.
  assert.ok((user + system) / 30_000 < 100, `${(user + system) / 30_000} µs for each end`);
  await queue.close();
  assert.deepEqual([queue.size, queue.dropped], [0, 30_001], "ends that could not be written are lost");
});

test("reading all records reads each line once, whatever their number", async (t) => {
  for (const count of [1_000, 10_000]) {
    const directory = join(temporaryDirectory(t), "ends");
    const { files, queue, clock, until } = journal(directory, { maxBytes: 64 * 1_048_576 });
    for (const code of upTo(count)) {
      if (code % 100 === 0) {
        await until(() => queue.size === 0);
        await clock.advance(1_000);
      }
      queue.add(endOf(code, { namespace: `ns-${code % 30}` }));
    }
    await until(() => queue.size === 0);
    const recordsIn = files.recordsIn.bind(files);
    let lines = 0;
    files.recordsIn = async function* (file, from) {
      for await (const line of recordsIn(file, from)) {
        lines++;
        yield line;
      }
    };
    const reader = new RecordReader(files);
    const orders: number[] = [];
    for (;;) {
      const read = await reader.next(
        1_000,
        () => false,
        () => true,
      );
      if (read.length === 0) break;
      orders.push(...read.map(({ order }) => order));
    }
    assert.equal(orders.length, count);
    assert.ok(
      orders.every((order, i) => order > (orders[i - 1] ?? 0)),
      "in their order",
    );
    assert.ok(lines <= count, `${lines} lines of ${count} records`);
  }
});

test("a reader returns the records of a file that is newer than its listing", async (t) => {
  const { files, queue, clock, until } = journal(join(temporaryDirectory(t), "ends"));
  const reader = new RecordReader(files);
  for (const code of upTo(3)) {
    await clock.advance(1_000);
    queue.add(endOf(code, { namespace: `ns-${code}` }));
    await until(() => queue.size === 0);
    const read = await reader.next(
      1_000,
      () => false,
      () => true,
    );
    assert.deepEqual(
      read.map(({ record }) => record.end.exitCode),
      [code],
    );
  }
});

test("many starts lose no record before the limit is reached", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const clock = new VirtualClock();
  for (const start of upTo(100)) {
    const { queue, files } = journal(directory, { clock });
    await files.check();
    await files.saveCursor(files.writer, 0);
    await files.evict();
    for (const n of upTo(3)) queue.add(endOf(3 * start + n, { namespace: `ns-${n}` }));
    await queue.close();
  }
  assert.equal((await codesIn(directory)).length, 300);
  assert.ok(bytesIn(directory) < 1_048_576, `${bytesIn(directory)} bytes`);
});

test("recreates a renamed or removed directory, and rejects a replaced one until it is restored", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { queue, until } = journal(directory);
  const add = async (code: number) => {
    queue.add(endOf(code));
    await until(() => queue.size === 0);
  };
  await add(0);
  renameSync(directory, `${directory}.old`);
  await add(1);
  assert.deepEqual([await codesIn(`${directory}.old`), await codesIn(directory)], [[0], [1]]);
  rmSync(directory, { recursive: true });
  await add(2);
  assert.deepEqual(await codesIn(directory), [2]);
  for (const [replace, words] of [
    [() => symlinkSync(`${directory}.old`, directory), /it is a symbolic link; pass the path of a directory/],
    [() => writeFileSync(directory, ""), /it is not a directory/],
  ] as const) {
    renameSync(directory, `${directory}.away`);
    replace();
    queue.add(endOf(3));
    await until(() => queue.error !== undefined);
    assert.match(queue.error?.message ?? "", words);
    assert.deepEqual(await codesIn(`${directory}.old`), [0], "nothing is written through a link");
    rmSync(directory);
    renameSync(`${directory}.away`, directory);
    await until(() => queue.size === 0);
  }
  assert.deepEqual([queue.error, await codesIn(directory)], [undefined, [2, 3]]);
});

test("rejects another user's directory, and opens no file through a symbolic link", {
  skip: !canMount && "needs root and unshare",
}, async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { queue, until } = journal(directory);
  queue.add(endOf(0));
  await until(() => queue.size === 0);
  chownSync(directory, 1234, 1234);
  queue.add(endOf(1));
  await until(() => queue.error !== undefined);
  assert.match(queue.error?.message ?? "", /it belongs to another user; chown it/);
  chownSync(directory, 0, 0);
  await until(() => queue.size === 0);
  const [name = ""] = readdirSync(directory).filter((each) => each.endsWith(".ends"));
  const target = join(temporaryDirectory(t), "target");
  writeFileSync(target, "");
  unlinkSync(join(directory, name));
  symlinkSync(target, join(directory, name));
  queue.add(endOf(2));
  await until(() => queue.error !== undefined);
  assert.equal(statSync(target).size, 0);
  assert.deepEqual(await codesIn(directory), [], "a link is not read either");
  unlinkSync(join(directory, name));
  await until(() => queue.size === 0);
  assert.deepEqual(await codesIn(directory), [2]);
});

const noLimits = spawnSync("prlimit", ["--version"]).status === 0 ? false : "needs prlimit";

test("keeps ends waiting while no file descriptor is free, and writes them afterwards", {
  skip: noLimits,
}, async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const child = forkModule(import.meta, "no-descriptors", { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  t.after(() => child.kill("SIGKILL"));
  child.send({ directory });
  const [said] = (await once(child, "message")) as [Starved];
  assert.match(said.error, /EMFILE; raise the limit of open files/);
  assert.deepEqual([said.waiting, said.left, await codesIn(directory)], [2, 0, [0, 1, 2]]);
});

test("drops no end of a burst of 3,000", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { queue, until } = journal(directory, { maxBytes: 16_777_216 });
  for (const code of upTo(3_000)) queue.add(endOf(code, { namespace: `team-${code % 3}` }));
  await until(() => queue.size === 0);
  assert.deepEqual([queue.written, queue.dropped], [3_000, 0]);
  assert.deepEqual(await codesIn(directory), upTo(3_000));
});

test("a file that another process has removed is followed by one with a later name", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { queue, clock, until } = journal(directory);
  const names: string[] = [];
  for (const code of upTo(2)) {
    await clock.advance(60_000);
    queue.add(endOf(code));
    await until(() => queue.size === 0);
    const [name = ""] = readdirSync(directory);
    names.push(name);
    unlinkSync(join(directory, name));
  }
  assert.ok((names[0] ?? "") < (names[1] ?? ""), `${names}`);
});

test("a clock in the far future leaves orders exact, and they go on from there", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const clock = new VirtualClock();
  clock.set(Date.UTC(2290, 0) - clock.wallMs());
  const { queue, until } = journal(directory, { clock });
  for (const code of upTo(3)) queue.add(endOf(code));
  await until(() => queue.size === 0);
  assert.deepEqual(await codesIn(directory), upTo(3));
  const orders: number[] = [];
  for await (const { order } of new JournalFiles(directory, 65_536, () => 0).records()) orders.push(order);
  assert.deepEqual(
    orders.map((order) => order - (orders[0] ?? 0)),
    upTo(3),
  );
});

test("numbers records by the time of day in microseconds, and never twice", async (t) => {
  const clock = new VirtualClock();
  const files = new JournalFiles(join(temporaryDirectory(t), "ends"), 1_048_576, () => clock.wallMs());
  const append = async (count: number) => {
    let first = 0;
    const ends = upTo(count).map((code) => ({ namespace: "shop", text: textOf(endOf(code)) }));
    await files.append(ends, (_, order) => {
      first = order;
    });
    return first;
  };
  const now = clock.wallMs() * 1_000;
  assert.deepEqual([await append(3), await append(1), await append(1)], [now, now + 3, now + 4]);
  clock.set(-60_000);
  assert.equal(await append(2), now + 5);
  clock.set(120_000);
  assert.equal(await append(1), clock.wallMs() * 1_000);
  const orders: number[] = [];
  for await (const { order } of files.records()) orders.push(order);
  assert.deepEqual(orders, [...upTo(7).map((i) => now + i), clock.wallMs() * 1_000]);
});

test("closing during a failed write tries once more, and accepts no more ends", async (t) => {
  let attempts = 0;
  class Failing extends JournalFiles {
    override async append(...args: Parameters<JournalFiles["append"]>) {
      if (++attempts === 1) throw new Error("not now");
      return super.append(...args);
    }
  }
  const directory = join(temporaryDirectory(t), "ends");
  const clock = new VirtualClock();
  const queue = new EndQueue(new Failing(directory, 1_048_576, () => clock.wallMs()), clock, () => {});
  queue.add(endOf(0));
  await queue.close();
  assert.deepEqual([attempts, queue.size, queue.written, await codesIn(directory)], [2, 0, 1, [0]]);
  queue.add(endOf(1));
  assert.deepEqual([attempts, queue.size], [2, 1]);
});

test("keeps every record in order when the clock is set by eight days", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const clock = new VirtualClock();
  const first = journal(directory, { clock, maxBytes: 65_536 });
  const DAY = 86_400_000;
  const codes = upTo(30);
  for (const code of codes) {
    if (code === 10) clock.set(8 * DAY);
    if (code === 20) clock.set(-8 * DAY);
    first.queue.add(endOf(code));
    await first.until(() => first.queue.size === 0);
  }
  assert.deepEqual(await codesIn(directory), codes);
  const later = journal(directory, { clock });
  const orders: number[] = [];
  for await (const { order } of later.files.records()) orders.push(order);
  assert.deepEqual(
    orders,
    [...orders].sort((a, b) => a - b),
  );
  later.files.lastOrder = Math.max(...orders); // as openJournal() sets it
  later.queue.add(endOf(30));
  await later.until(() => later.queue.size === 0);
  let last: string | undefined;
  for await (const { record } of later.files.records()) last = keyOf(record);
  assert.equal(last, keyOf(endOf(30)), "a later process writes after records with future times");
});

test("at its size limit, removes old files of the largest namespace and unused cursors", async (t) => {
  const directory = join(temporaryDirectory(t), "ends");
  const { queue, until } = journal(directory, { maxBytes: 65_536 });
  mkdirSync(directory, { mode: 0o700 });
  writeFileSync(join(directory, "0badcafe.taken"), "0000000000000001\n");
  for (const code of upTo(400)) queue.add(endOf(code, { namespace: code < 3 ? "few" : "many" }));
  await until(() => queue.size === 0);
  const names = readdirSync(directory);
  const bytes = names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  assert.ok(bytes < 65_536 + 16_384, `${bytes} bytes`);
  assert.ok(!names.includes("0badcafe.taken"), `${names}`);
  const codes = await codesIn(directory);
  assert.deepEqual(codes.slice(0, 3), [0, 1, 2]);
  assert.equal(codes.at(-1), 399);
  assert.ok(codes.length < 300);
});
