// The tail of a container's log. The log shipper's tests are of it, too: over restarts, rotation and compression.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { LogTail } from "../../src/index.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

const line = (time: string, text: string) => `2026-11-22T10:00:01${time}Z stdout F ${text}\n`;

test("of a compressed file what is behind the last line is read, by times with and without zeros at their end", async (t) => {
  const path = join(temporaryDirectory(t), "0.log");
  const lines = [line(".6126156", "read"), line(".61261569", "next"), line(".613", "last")];
  writeFileSync(`${path}.20261122-100005.gz`, gzipSync(lines.join("")));
  const position = { file: "another", offset: 70, time: "2026-11-22T10:00:01.6126156Z" };
  const tail = new LogTail(path, { position });
  assert.deepEqual(
    (await tail.read()).map(({ text }) => text),
    ["next", "last"],
  );
  assert.deepEqual(await tail.read(), [], "there is no other file, and this one is not read again");
  writeFileSync(`${path}.20261122-100006.gz`, gzipSync(line(".7", "more")));
  assert.deepEqual(
    (await tail.read()).map(({ text }) => text),
    ["more"],
  );
  await tail.close();
});

test("from the oldest file on where that is asked for, from the present one else", async (t) => {
  const path = join(temporaryDirectory(t), "0.log");
  writeFileSync(`${path}.20261122-100005.gz`, gzipSync(line("", "one")));
  writeFileSync(`${path}.20261122-100006`, line("", "two"));
  writeFileSync(path, line("", "three"));
  const textsOf = async (tail: LogTail) => {
    const texts: string[] = [];
    for (let lines = await tail.read(); lines.length > 0; lines = await tail.read())
      texts.push(...lines.map(({ text }) => text));
    await tail.close();
    return texts;
  };
  assert.deepEqual(await textsOf(new LogTail(path, { fromOldest: true })), ["one", "two", "three"]);
  assert.deepEqual(await textsOf(new LogTail(path)), ["three"]);
});

test("a compressed file that is damaged is named, and what is behind it is read", async (t) => {
  const path = join(temporaryDirectory(t), "0.log");
  writeFileSync(`${path}.20261122-100005.gz`, "no gzip");
  writeFileSync(path, line("", "present"));
  const tail = new LogTail(path, { fromOldest: true });
  await assert.rejects(tail.read(), {
    code: "corrupt",
    message: /100005\.gz cannot be unpacked \(Z_DATA_ERROR\); its lines are left out/,
  });
  assert.deepEqual(
    (await tail.read()).map(({ text }) => text),
    ["present"],
  );
  await tail.close();
});

test("nothing but plain files is read, and it is said which is none", async (t) => {
  const directory = temporaryDirectory(t);
  const [link, fifo, inside] = ["link", "fifo", "directory"].map((name) => join(directory, `${name}.log`)) as [
    string,
    string,
    string,
  ];
  symlinkSync("/etc/passwd", link);
  execFileSync("mkfifo", [fifo]);
  mkdirSync(inside);
  for (const path of [link, fifo, inside]) {
    const message = `invalid-path: ${path} is no plain file; nothing else is read below the directory of logs`;
    await assert.rejects(new LogTail(path).read(), { code: "invalid-path", message });
  }
  assert.deepEqual(await new LogTail(join(directory, "none.log")).read(), [], "it may be yet to come");
});
