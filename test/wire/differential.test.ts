// Our own calls beside connect's, on answers of every kind.

import assert from "node:assert/strict";
import { test } from "node:test";
import { toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { serveHttp2 } from "../helpers/hostile.js";
import { Differential, play } from "./differential.js";

const SEED = Number(process.env["DIFFERENTIAL_SEED"] ?? 1);
const ROUNDS = Number(process.env["DIFFERENTIAL_ROUNDS"] ?? 1_500);

test(`${ROUNDS} answers, right and bent: ours are connect's, or what the specification says`, async (t) => {
  let differential: Differential | undefined;
  const socketPath = await serveHttp2(t, (stream) => {
    if (differential?.script !== undefined) play(stream, differential.script);
  });
  differential = new Differential(socketPath, SEED);
  await using _ = differential;
  const pod = Buffer.from(toBinary(PodSchema, fromKubernetesJson(sampleNode()[0] ?? {})));
  const payload = Buffer.concat([Buffer.from([0x0a, (pod.length & 0x7f) | 0x80, pod.length >> 7]), pod]);
  for (let round = 0; round < ROUNDS; round++) await differential.step(payload);
  t.diagnostic(JSON.stringify(Object.fromEntries(differential.counts)));
  assert.ok((differential.counts.get("same") ?? 0) > ROUNDS / 2);
});
