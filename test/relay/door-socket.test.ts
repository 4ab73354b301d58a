// Doors on real files: what may lie at their place, who may enter, and two at once.

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import { dirname, join } from "node:path";
import { type DoorPlace, DoorSocket } from "../../src/serving/door-socket.js";
import { temporaryDirectory as temporary } from "../helpers/kubelet.js";
import { type TestContext, test } from "../helpers/test.js";
import { until } from "../helpers/until.js";

const isRoot = process.getuid?.() === 0;

function doorOf(t: TestContext, place: DoorPlace, name = "", maxConnections = 2): DoorSocket {
  const door = new DoorSocket(place, maxConnections, (socket) => void socket.resume().write(name));
  t.after(() => {
    door.stop();
    door.destroyConnections();
  });
  return door;
}

async function saidAt(path: string): Promise<string> {
  const socket = net.connect(path);
  const [said] = await once(socket, "data");
  socket.destroy();
  return String(said);
}

test("a door has its permissions and its owner from its first moment, and leaves nothing beside it", async (t) => {
  const path = join(temporary(t), "own", "door.sock");
  const seen: number[] = [];
  const before = process.umask(0);
  t.after(() => process.umask(before));
  const door = doorOf(t, { path, mode: 0o620 });
  const looking = setInterval(() => existsSync(path) && seen.push(lstatSync(path).mode & 0o777), 0);
  await door.listen(new Date("2026-01-02T03:04:05Z"));
  clearInterval(looking);
  assert.equal(lstatSync(path).mode & 0o777, 0o620, "whatever the umask is");
  assert.deepEqual(
    [...new Set(seen)].filter((mode) => mode !== 0o620),
    [],
  );
  assert.equal(lstatSync(path).mtime.toISOString(), "2026-01-02T03:04:05.000Z");
  assert.equal(lstatSync(dirname(path)).mode & 0o777, 0o750, "its directory was made for the group alone");
  assert.deepEqual(readdirSync(dirname(path)), ["door.sock"]);
});

test("what is at the place is replaced where it is a socket, and left where it is anything else", async (t) => {
  const directory = temporary(t);
  const path = join(directory, "door.sock");
  const elsewhere = join(directory, "elsewhere");
  writeFileSync(elsewhere, "precious");
  for (const make of [
    () => writeFileSync(path, "a file"),
    () => mkdirSync(path),
    () => symlinkSync(elsewhere, path),
    () => symlinkSync(join(directory, "nothing"), path),
  ]) {
    make();
    const is = lstatSync(path);
    await assert.rejects(doorOf(t, { path }).listen(), { code: "invalid-path" });
    assert.equal(lstatSync(path).ino, is.ino);
    rmSync(path, { recursive: true });
  }
  assert.deepEqual(readdirSync(directory), ["elsewhere"]);
});

test("two doors may overlap: the younger one takes the place, the elder goes on, and removes nothing at its end", async (t) => {
  const path = join(temporary(t), "door.sock");
  const elder = doorOf(t, { path }, "elder");
  await elder.listen();
  const connected = net.connect(path);
  t.after(() => connected.destroy());
  assert.equal(String((await once(connected, "data"))[0]), "elder");
  const younger = doorOf(t, { path }, "younger");
  await younger.listen();
  assert.deepEqual([elder.isInPlace, younger.isInPlace], [false, true]);
  assert.equal(await saidAt(path), "younger");
  assert.equal(elder.connections, 1, "who was connected stays");
  elder.stop();
  elder.destroyConnections();
  await once(connected, "close");
  assert.equal(await saidAt(path), "younger");
  await elder.listen();
  assert.equal(await saidAt(path), "elder", "and the other way about");
});

test("more connections than a door takes are closed and counted, and room is made when one goes", async (t) => {
  const path = join(temporary(t), "door.sock");
  const door = doorOf(t, { path }, "hello");
  await door.listen();
  const [first, second] = [net.connect(path), net.connect(path)];
  t.after(() => second.destroy());
  await Promise.all([once(first, "data"), once(second, "data")]);
  const third = net.connect(path).resume();
  await once(third, "close");
  assert.deepEqual([third.bytesRead, door.refused, door.connections], [0, 1, 2]);
  first.destroy();
  await until(t, () => door.connections === 1);
  assert.equal(await saidAt(path), "hello");
});

test("a directory that others may write to, or that leads over a link, has no doors", async (t) => {
  const directory = temporary(t);
  const open = join(directory, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  await assert.rejects(
    doorOf(t, { path: join(open, "d.sock") }).listen(),
    /open may be written by others; a door stands/,
  );
  chmodSync(open, 0o1777);
  await assert.rejects(doorOf(t, { path: join(open, "d.sock") }).listen(), /open may be written by others/);
  chmodSync(open, 0o770);
  await assert.rejects(doorOf(t, { path: join(open, "a/d.sock") }).listen(), /open may be written by others/);
  mkdirSync(join(open, "below"));
  await assert.rejects(doorOf(t, { path: join(open, "below/d.sock") }).listen(), /open may be written by others/);
  const real = join(directory, "real");
  mkdirSync(real);
  symlinkSync(real, join(directory, "link"));
  await assert.rejects(doorOf(t, { path: join(directory, "link/d.sock") }).listen(), /link is a link/);
  assert.deepEqual(readdirSync(real), []);
});

test("below a sticky directory, such as /tmp, a door gets a directory of its own", async (t) => {
  const sticky = join(temporary(t), "sticky");
  mkdirSync(sticky);
  chmodSync(sticky, 0o1777);
  const path = join(sticky, "doors/d.sock");
  const door = doorOf(t, { path }, "hello");
  await door.listen();
  assert.equal(lstatSync(join(sticky, "doors")).mode & 0o7777, 0o750);
  assert.equal(await saidAt(path), "hello");
});

test("what belongs to somebody else is refused: a directory, one above it, and a socket", {
  skip: !isRoot && "needs root",
}, async (t) => {
  const directory = temporary(t);
  const theirs = join(directory, "theirs");
  mkdirSync(theirs);
  chownSync(theirs, 65_534, 65_534);
  await assert.rejects(
    doorOf(t, { path: join(theirs, "d.sock") }).listen(),
    /theirs belongs to somebody else \(uid 65534\)/,
  );
  mkdirSync(join(theirs, "mine"));
  await assert.rejects(doorOf(t, { path: join(theirs, "mine/d.sock") }).listen(), /theirs belongs to somebody else/);
  const safe = join(directory, "safe");
  mkdirSync(join(safe, "d"), { recursive: true });
  symlinkSync(safe, join(theirs, "turn"));
  symlinkSync(join(theirs, "turn"), join(directory, "way"));
  await assert.rejects(
    doorOf(t, { path: join(directory, "way/d/d.sock") }).listen(),
    /theirs.* belongs to somebody else/,
  );
  const path = join(directory, "d.sock");
  const door = doorOf(t, { path, group: 4_317 });
  await door.listen();
  assert.equal(lstatSync(path).gid, 4_317);
  chownSync(path, 65_534, 65_534);
  await assert.rejects(door.listen(), /d.sock belongs to somebody else \(uid 65534\)/);
});

test("a place that cannot be one is refused before anything is made", (t) => {
  const directory = temporary(t);
  const refused = (place: DoorPlace, code: string) => assert.throws(() => doorOf(t, place), { code });
  refused({ path: "door.sock" }, "invalid-path");
  refused({ path: `${directory}/../d.sock` }, "invalid-path");
  refused({ path: join(directory, "d".repeat(100)) }, "invalid-path");
  refused({ path: `/tmp/${"a".repeat(88)}/d.sock` }, "invalid-path"); // it fits, and its private name does not
  refused({ path: join(directory, "d.sock"), mode: 0o1777 }, "invalid-argument");
  refused({ path: join(directory, "d.sock"), group: "no-such-group" }, "invalid-argument");
  refused({ path: join(directory, "d.sock"), group: 2 ** 32 - 1 }, "invalid-argument");
  assert.equal(new DoorSocket({ path: join(directory, "d.sock"), group: "root" }, 1, () => {}).connections, 0);
  assert.deepEqual(readdirSync(directory), []);
});
