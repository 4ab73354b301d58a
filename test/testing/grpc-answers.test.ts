// What kubelets answer to requests that no client of ours makes, and the reference kubelet with them. test/interop holds what is
// written down here against the kubelets' own code.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pause } from "../../src/timing/pause.js";
import { environmentOf, kubeletOf } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { ask, RAW_REQUESTS } from "./raw-requests.js";

const answers = JSON.parse(readFileSync(join(root, "test/testing/grpc-answers.json"), "utf8")) as Record<
  string,
  string
>;

test("answers each raw request like a kubelet", async (t) => {
  const { socketPath } = await kubeletOf(t);
  const given: Record<string, string> = {};
  for (const request of RAW_REQUESTS) {
    given[request.what] = await ask(socketPath, request);
    await pause(environmentOf(t).clock, 20); // a hundred calls per second are let through
  }
  assert.deepEqual(given, answers);
});
