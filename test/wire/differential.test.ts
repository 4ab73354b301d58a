// Our own calls beside connect's, on answers of every kind.

import assert from "node:assert/strict";
import { toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { fromKubernetesJson } from "../../src/index.js";
import { delimited } from "../../src/protobuf/writer.js";
import { sampleNode } from "../../src/testing/index.js";
import { serveHttp2 } from "../helpers/hostile.js";
import { test } from "../helpers/test.js";
import { BODY_LENGTHS, fillerFor } from "../pod/random-pods.js";
import { Differential, play } from "./differential.js";

const SEED = Number(process.env["DIFFERENTIAL_SEED"] ?? 1);
const ROUNDS = Number(process.env["DIFFERENTIAL_ROUNDS"] ?? 600);

test(`handles ${ROUNDS} valid and malformed responses as Connect does, or as the gRPC specification requires`, async (t) => {
  let differential: Differential | undefined;
  const socketPath = await serveHttp2(t, (stream) => {
    if (differential?.script !== undefined) play(stream, differential.script);
  });
  differential = new Differential(socketPath, SEED);
  await using _ = differential;
  const sample = toBinary(PodSchema, fromKubernetesJson(sampleNode()[0] ?? {}));
  // Each tenth answer has pods of lengths whose number takes a byte more.
  const filled = (text: string) => toBinary(PodSchema, fromKubernetesJson({ metadata: { name: text } }));
  const pods = BODY_LENGTHS.slice(0, 5).map((length) => {
    const text = fillerFor(length, (text) => filled(text).length);
    return filled(text ?? "");
  });
  for (let round = 0; round < ROUNDS; round++) {
    await differential.step(Buffer.from(delimited(1, (round % 10 === 0 ? pods[(round / 10) % 5] : sample) ?? sample)));
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(differential.counts)));
  assert.ok((differential.counts.get("same") ?? 0) > ROUNDS / 2);
});
