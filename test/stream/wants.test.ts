import assert from "node:assert/strict";
import { podMask } from "../../src/pod/mask.js";
import { type Want, Wants } from "../../src/stream/wants.js";
import { test } from "../helpers/test.js";

const names = podMask("metadata.name");
const labels = podMask("metadata.labels");
const want = (mask: Want["mask"], resyncIntervalMs = 10_000): Want => ({ mask, resyncIntervalMs });
const text = (wants: Wants) => wants.mask?.toString();

test("the mask is the union of the current masks", () => {
  const wants = new Wants();
  for (const each of [want(names), want(labels), want(labels)]) wants.add(each);
  assert.equal(text(wants), names.union(labels).toString());
  wants.delete(want(labels));
  assert.equal(text(wants), names.union(labels).toString(), "one still wants them");
  wants.delete(want(labels));
  assert.equal(text(wants), names.toString());
});

test("a listener without a mask makes the mask undefined until it leaves", () => {
  const wants = new Wants();
  wants.add(want(undefined));
  wants.add(want(names));
  assert.equal(wants.mask, undefined);
  wants.delete(want(undefined));
  assert.equal(text(wants), names.toString());
});

test("the union stays the same object while its fields are the same", () => {
  const wants = new Wants();
  wants.add(want(names.union(labels)));
  const union = wants.mask;
  wants.add(want(labels));
  assert.equal(wants.mask, union);
  wants.delete(want(labels, 10_000));
  assert.equal(text(wants), union?.toString());
});

test("the next listener determines the mask after all have left", () => {
  const wants = new Wants();
  wants.add(want(undefined));
  wants.delete(want(undefined));
  wants.add(want(names));
  assert.equal(text(wants), names.toString());
});

test("the interval is the shortest one requested", () => {
  const wants = new Wants();
  assert.equal(wants.resyncIntervalMs, Number.POSITIVE_INFINITY);
  for (const ms of [30_000, 10_000, 10_000]) wants.add(want(names, ms));
  assert.equal(wants.resyncIntervalMs, 10_000);
  wants.delete(want(names, 10_000));
  assert.equal(wants.resyncIntervalMs, 10_000);
  wants.delete(want(names, 10_000));
  assert.equal(wants.resyncIntervalMs, 30_000);
  wants.delete(want(names, 30_000));
  assert.equal(wants.resyncIntervalMs, Number.POSITIVE_INFINITY);
});

test("ignores the removal of a want that was never added", () => {
  const wants = new Wants();
  wants.add(want(names, 10_000));
  wants.delete(want(labels, 10_000));
  assert.deepEqual([text(wants), wants.resyncIntervalMs], [names.toString(), 10_000]);
});

test("includes finished pods while any listener includes them", () => {
  const wants = new Wants();
  const finished: Want = { ...want(names), includeFinished: true };
  for (const each of [want(names), finished, finished]) wants.add(each);
  assert.equal(wants.includesFinished, true);
  wants.delete(want(names));
  wants.delete(finished);
  assert.equal(wants.includesFinished, true);
  wants.delete(finished);
  assert.equal(wants.includesFinished, false);
});
