import assert from "node:assert/strict";
import { test } from "node:test";
import { create, toBinary } from "@bufbuild/protobuf";
import { EventType, WatchPodsEventSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { fromKubernetesJson } from "../../src/pod/from-json.js";
import { inState } from "../bench/pods.js";
import { answer, envelope, serveHttp2 } from "../helpers/hostile.js";
import { clientOf } from "../helpers/kubelet.js";
import { hostileRun } from "./hostile-run.js";

test("a peer that does anything at all ends no process, and is told in words", async (t) => {
  const ROUNDS = 25;
  for await (const { counts, wrong, rssMiB } of hostileRun(1, ROUNDS)) {
    t.diagnostic(`${ROUNDS} rounds, ${rssMiB.toFixed(0)} MiB: ${JSON.stringify(counts)}`);
    assert.deepEqual(wrong, []);
    for (const code of ["answered", "wrong-peer", "corrupt", "too-large"]) assert.ok((counts[code] ?? 0) > 0, code);
    return;
  }
});

test("a list without end is given up", async (t) => {
  let sent = 0;
  const socketPath = await serveHttp2(t, (stream, headers) => {
    if (!headers[":path"]?.endsWith("/WatchPods")) return answer(stream);
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    const write = () => {
      for (let more = true; more && !stream.destroyed; ) {
        const pod = inState(fromKubernetesJson({ metadata: { uid: `u${++sent}` } }), sent);
        const event = create(WatchPodsEventSchema, { type: EventType.ADDED, pod });
        more = stream.write(envelope(toBinary(WatchPodsEventSchema, event)));
      }
      if (!stream.destroyed) stream.once("drain", write);
    };
    write();
  });
  for await (const event of clientOf(t, { socketPath }).watchPods()) {
    assert.ok(event.type === "DISCONNECTED", "nothing of it is told");
    assert.equal(event.error.code, "too-large");
    assert.match(event.error.message, /more than 20000 pods/);
    break;
  }
  assert.ok(sent > 20_000);
});
