// node --import tsx --test examples/demo/picture.test.ts

import assert from "node:assert/strict";
import { test } from "node:test";
import { picture, type Row, type Scene } from "./picture.js";

const row = (name: string, type?: Row["type"], atMs = 0): [string, Row] => [
  name,
  { line: { namespace: "shop", name, phase: "Running", ready: "yes", restarts: "0", ip: "10.1.0.9" }, type, atMs },
];

const scene = (more: Partial<Scene> = {}): Scene => ({
  source: "a kubelet",
  pods: new Map([row("web-1"), row("web-0", "ADDED", 9_500), row("old-0", "DELETED", 9_900)]),
  listed: 3,
  away: undefined,
  isSynced: true,
  unconfirmed: 0,
  counts: { ADDED: 1, MODIFIED: 0, DELETED: 1 },
  recent: ["ADDED     shop/web-0", "DELETED   shop/old-0"],
  naive: { size: 3, ended: ["shop/old-0"] },
  leftMs: 5_400,
  ...more,
});

test("a narrow terminal keeps READY and IP: restarts and namespaces go, and names are cut", () => {
  const pods = new Map([row("payments-58dd4c7b9-k3vbp"), row("web-0")]);
  const lines = picture(scene({ pods }), { columns: 44, rows: 40, colours: false }, 10_000);
  assert.deepEqual(lines.slice(3, 6), [
    "NAME                PHASE    READY  IP",
    "payments-58dd4c7b~  Running  yes    10.1.0.9",
    "web-0               Running  yes    10.1.0.9",
  ]);
  assert.ok(lines.every((line) => line.length <= 44));
});

test("shows the known pods, the events and what a hand-written watch has", () => {
  assert.deepEqual(picture(scene(), { columns: 80, rows: 40, colours: false }, 10_000), [
    "kubelet-pods  a kubelet  5 s left, Ctrl-C ends",
    "2 pods; 1 finished; synced",
    "",
    "NAMESPACE  NAME   PHASE    READY  RESTARTS  IP",
    "shop       old-0  Running  yes    0         10.1.0.9",
    "shop       web-0  Running  yes    0         10.1.0.9",
    "shop       web-1  Running  yes    0         10.1.0.9",
    "",
    "events  ADDED 1  MODIFIED 0  DELETED 1",
    "a hand-written watch has 3 pods, 1 of them deleted",
    "",
    "ADDED     shop/web-0",
    "DELETED   shop/old-0",
  ]);
});

test("shows an outage, and unconfirmed pods after it", () => {
  const size = { columns: 80, rows: 40, colours: false };
  const away = { reason: "connection-refused", sinceMs: 8_500 };
  assert.equal(picture(scene({ away }), size, 10_000)[1], "2 pods; disconnected for 1.5 s: connection-refused");
  assert.equal(picture(scene({ unconfirmed: 1, listed: 2 }), size, 10_000)[1], "2 pods; synced, 1 unconfirmed");
});

test("it fits the terminal, whatever its size, and colours what has just changed", () => {
  const listed = 60;
  const pods = new Map(Array.from({ length: 50 }, (_, i) => row(`pod-with-a-long-name-${i}`)));
  const recent = Array.from({ length: 20 }, (_, i) => `MODIFIED  shop/pod-with-a-long-name-${i}  Running, not ready`);
  for (const [columns, rows] of [
    [80, 24],
    [40, 15],
    [200, 50],
  ] as const) {
    const lines = picture(scene({ pods, recent, listed, unconfirmed: 3 }), { columns, rows, colours: false }, 10_000);
    assert.ok(lines.length <= rows, `${lines.length} lines in ${rows}`);
    for (const line of lines) assert.ok(line.length <= columns, line);
  }
  const coloured = picture(scene(), { columns: 80, rows: 40, colours: true }, 10_000);
  assert.deepEqual(
    coloured.flatMap((line) => /^.\[(\d+)mshop +(\S+)/.exec(line)?.slice(1, 3) ?? []),
    ["31", "old-0", "32", "web-0"],
  );
});
