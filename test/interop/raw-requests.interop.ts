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

type Answers = Record<string, string>;

/** The answers of grpc-go 1.82, which 1.37 has and the reference kubelet imitates. */
const file = join(root, "test/testing/grpc-answers.json");
/** Those that are other with grpc-go 1.85, which 1.38 has: among them, a call is answered only after the end of the client's half. */
const newerFile = join(root, "test/testing/grpc-answers-1.38.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Answers;
const write = (path: string, answers: Answers) => writeFileSync(path, `${JSON.stringify(answers, null, 2)}\n`);

for (const version of goVersions) {
  test(`the ${version} kubelet answers each raw request as recorded`, { skip: noGo }, async () => {
    await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
    const given: Answers = {};
    for (const request of RAW_REQUESTS) {
      given[request.what] = await ask(kubelet.socketPath, request);
      await sleep(20); // a hundred calls per second are let through
    }
    const isNewer = version === "1.38";
    if (process.env["UPDATE_ANSWERS"] === "1") {
      if (version === "1.37") write(file, given);
      const known = read(file);
      if (isNewer)
        write(newerFile, Object.fromEntries(Object.entries(given).filter(([what, each]) => each !== known[what])));
    }
    assert.deepEqual(given, { ...read(file), ...(isNewer ? read(newerFile) : {}) });
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
  // The text of grpc-go 1.85 for the same error.
  return stdout.replaceAll("failed to unmarshal the received message", "error unmarshalling request").split(/ *\n/);
}
