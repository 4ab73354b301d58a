// The reference kubelet answers raw requests, and what grpc-go's clients do, as the kubelet's own code does. The answers that
// test/testing/grpc-answers.json has are the kubelets' own: `UPDATE_ANSWERS=1` writes those of the newest.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sampleNode } from "../../src/testing/index.js";
import { systemEnvironment } from "../../src/timing/clock.js";
import { kubeletOf } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";
import { ask, RAW_REQUESTS } from "../testing/raw-requests.js";
import { GoKubelet, type GoVersion, goVersions, noGo, program } from "./go-kubelet.js";

const file = join(root, "test/testing/grpc-answers.json");

for (const version of goVersions) {
  test(`the ${version} kubelet answers each raw request as recorded`, { skip: noGo }, async () => {
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

  test(`grpc-go gets the same answers from the ${version} kubelet and the reference kubelet`, {
    skip: noGo,
  }, async (t) => {
    await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
    const pods = sampleNode();
    await kubelet.do("add", { pods });
    const double = await kubeletOf(t, { profile: version, pods }, systemEnvironment);
    const [expected, told] = await Promise.all([
      habitsOn(version, kubelet.socketPath),
      habitsOn(version, double.socketPath),
    ]);
    assert.deepEqual(told, expected);
    assert.equal(new Set(expected).size, 15, "each habit has one answer, and the last line is empty");
  });
}

/** What a client of grpc-go is told, line by line. */
async function habitsOn(version: GoVersion, socketPath: string): Promise<string[]> {
  const client = program(version, "client");
  const { stdout } = await promisify(execFile)(client, ["-socket", socketPath, "habits"]);
  return stdout.split(/ *\n/);
}
