import assert from "node:assert/strict";
import { type PodMask, podMask } from "../../src/pod/mask.js";
import { OWN_MASK } from "../../src/pod/own-fields.js";
import { type Want, Wants } from "../../src/stream/wants.js";
import { test } from "../helpers/test.js";

const images = podMask("spec.containers.image");
const volumes = podMask("spec.volumes");
const want = (mask: Want["mask"], resyncIntervalMs = 10_000): Want => ({ mask, resyncIntervalMs });
const text = (wants: Wants) => wants.mask?.toString();
const withOwn = (mask: PodMask) => mask.union(OWN_MASK).toString();

test("the mask is the union of the current masks", () => {
  const wants = new Wants();
  for (const each of [want(images), want(volumes), want(volumes)]) wants.add(each);
  assert.equal(text(wants), withOwn(images.union(volumes)));
  wants.delete(want(volumes));
  assert.equal(text(wants), withOwn(images.union(volumes)), "one still wants them");
  wants.delete(want(volumes));
  assert.equal(text(wants), withOwn(images));
});

test("a listener without a mask makes the mask undefined until it leaves", () => {
  const wants = new Wants();
  wants.add(want(undefined));
  wants.add(want(images));
  assert.equal(wants.mask, undefined);
  wants.delete(want(undefined));
  assert.equal(text(wants), withOwn(images));
});

test("the union stays the same object while its fields are the same", () => {
  const wants = new Wants();
  wants.add(want(images.union(volumes)));
  const union = wants.mask;
  wants.add(want(volumes));
  assert.equal(wants.mask, union);
  wants.delete(want(volumes, 10_000));
  assert.equal(text(wants), union?.toString());
});

test("the next listener determines the mask after all have left", () => {
  const wants = new Wants();
  wants.add(want(undefined));
  wants.delete(want(undefined));
  wants.add(want(images));
  assert.equal(text(wants), withOwn(images));
});

test("the interval is the shortest one requested", () => {
  const wants = new Wants();
  assert.equal(wants.resyncIntervalMs, Number.POSITIVE_INFINITY);
  for (const ms of [30_000, 10_000, 10_000]) wants.add(want(images, ms));
  assert.equal(wants.resyncIntervalMs, 10_000);
  wants.delete(want(images, 10_000));
  assert.equal(wants.resyncIntervalMs, 10_000);
  wants.delete(want(images, 10_000));
  assert.equal(wants.resyncIntervalMs, 30_000);
  wants.delete(want(images, 30_000));
  assert.equal(wants.resyncIntervalMs, Number.POSITIVE_INFINITY);
});

test("ignores the removal of a want that was never added", () => {
  const wants = new Wants();
  wants.add(want(images, 10_000));
  wants.delete(want(volumes, 10_000));
  assert.deepEqual([text(wants), wants.resyncIntervalMs], [withOwn(images), 10_000]);
});

test("includes finished pods while any listener includes them", () => {
  const wants = new Wants();
  const finished: Want = { ...want(images), includeFinished: true };
  for (const each of [want(images), finished, finished]) wants.add(each);
  assert.equal(wants.includesFinished, true);
  wants.delete(want(images));
  wants.delete(finished);
  assert.equal(wants.includesFinished, true);
  wants.delete(finished);
  assert.equal(wants.includesFinished, false);
});
