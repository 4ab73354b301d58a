// The answers that test/testing/grpc-answers.json has are the kubelets' own: `UPDATE_ANSWERS=1` writes those of the newest.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../helpers/programs.js";
import { ask, RAW_REQUESTS } from "../testing/raw-requests.js";
import { GoKubelet, goVersions, noGo } from "./go-kubelet.js";

const file = join(root, "test/testing/grpc-answers.json");

for (const version of goVersions) {
  test(`the kubelet of ${version} answers each request as it is written down`, { skip: noGo }, async () => {
    await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
    const given: Record<string, string> = {};
    for (const request of RAW_REQUESTS) {
      given[request.what] = await ask(kubelet.socketPath, request);
      await sleep(20); // a hundred calls per second are let through
    }
    if (process.env["UPDATE_ANSWERS"] === "1" && version === goVersions[0]) {
      writeFileSync(file, `${JSON.stringify(given, null, 2)}\n`);
    }
    assert.deepEqual(given, JSON.parse(readFileSync(file, "utf8")));
  });
}
