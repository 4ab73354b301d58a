// Requests of any kind against the reference kubelet, which runs in the process of somebody's tests.

import assert from "node:assert/strict";
import { sampleNode } from "../../src/testing/index.js";
import { test } from "../helpers/test.js";
import { attackedDouble } from "./double-run.js";

test("the reference kubelet survives arbitrary requests", async () => {
  for await (const { rounds, pods } of attackedDouble(1, 150)) {
    assert.equal(pods, sampleNode().length);
    if (rounds >= 300) return;
  }
});
