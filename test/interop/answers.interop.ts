// What grpc-go sends that no kubelet can be made to send: statuses in trailers alone and behind a head, their words and details, and
// messages of many frames.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { GrpcError } from "../../src/errors/grpc-error.js";
import { Pods } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsClient, type PodsError } from "../../src/index.js";
import { API_VERSIONS } from "../../src/sources/api-versions.js";
import { getPod, listPods } from "../../src/sources/pods-call.js";
import { ServerStream } from "../../src/wire/server-stream.js";
import { UnixSession } from "../../src/wire/session.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, type TestContext, test } from "../helpers/test.js";
import { goVersions, noGo, program } from "./go-kubelet.js";

const WORDS = "50 % of “größe”\nis gone";
const MAX_BYTES = 64 << 20;
const PODS = API_VERSIONS[0];

for (const version of goVersions) {
  describe(`grpc-go of the ${version} kubelet`, { skip: noGo }, () => {
    async function serve(t: TestContext) {
      const socketPath = join(temporaryDirectory(t), "s.sock");
      const server = spawn(program(version, "answers"), ["-socket", socketPath]);
      t.after(() => server.kill("SIGKILL"));
      await once(createInterface({ input: server.stdout }), "line");
      const session = new UnixSession({ socketPath: () => socketPath, handshakeTimeoutMs: 5_000, onEvent: () => {} });
      t.after(() => session.close());
      const transport = createGrpcTransport({
        baseUrl: "http://localhost",
        nodeOptions: { createConnection: () => createConnection(socketPath) },
        readMaxBytes: MAX_BYTES,
      });
      return { socketPath, connection: await session.connect(), theirs: createClient(Pods, transport) };
    }
    const options = { headers: {}, maxBytes: MAX_BYTES };

    for (const kind of ["status", "late"]) {
      test(`reads each status ${kind === "late" ? "after response headers" : "in a trailers-only response"} like Connect`, async (t) => {
        const { connection, theirs } = await serve(t);
        for (let code = 1; code <= 16; code++) {
          const podUID = `${kind}/${code}`;
          const ours = await getPod(connection, PODS, podUID, options).catch((error: unknown) => error);
          assert.ok(ours instanceof GrpcError);
          assert.deepEqual([ours.status, ours.message, ours.code], [code, WORDS, undefined]);
          const error = (await theirs.getPod({ podUID }).catch((error: unknown) => error)) as ConnectError;
          assert.deepEqual([Number(error.code), error.rawMessage], [code, WORDS]);
        }
      });
    }

    test("reads error details up to their limit, and drops larger ones", async (t) => {
      const { connection } = await serve(t);
      const detailsOf = async (bytes: number) => {
        const error = await getPod(connection, PODS, `status/9/${bytes}`, options).catch((error: unknown) => error);
        assert.ok(error instanceof GrpcError);
        assert.deepEqual([error.status, error.message], [9, WORDS]);
        return error.details;
      };
      assert.equal(await detailsOf(0), undefined);
      for (const bytes of [1, 2, 3, 100, 10_000]) {
        const details = await detailsOf(bytes);
        assert.ok(details !== undefined && Buffer.from(details).includes("d".repeat(bytes)), `${bytes}`);
      }
      assert.equal(await detailsOf(30_000), undefined);
    });

    test("reads messages of any size, and rejects one over the limit by its length", async (t) => {
      const { connection, socketPath } = await serve(t);
      for (const bytes of [0, 1, 16_384, 70_000, 20_000_000]) {
        const message = await getPod(connection, PODS, `size/${bytes}`, options);
        assert.equal(message.length, bytes);
      }
      const pods = await listPods(connection, PODS, options);
      assert.deepEqual(
        pods.map((pod) => [pod.length, pod[0]]),
        [0, 1, 2].map((i) => [5_000_000, i]),
      );
      await using client = new PodsClient({ socketPath, maxMessageBytes: 1_000_000, retry: false });
      const refused = (await client.listPods().catch((error: unknown) => error)) as PodsError;
      assert.deepEqual([refused.code, refused.retryable], ["too-large", false]);
      const gone = (await client.getPod("status/5").catch((error: unknown) => error)) as PodsError;
      assert.equal(gone.code, "not-found", "the connection still works");
    });

    test("a watch yields a large event and the marker, then throws the final status", async (t) => {
      const { connection } = await serve(t);
      const request = { ...options, path: `/${PODS.service}/WatchPods`, message: new Uint8Array() };
      const stream = new ServerStream(connection, request);
      const events: unknown[] = [];
      const ended = (async () => {
        for await (const batch of stream) for (const message of batch) events.push(PODS.readEvent(message));
      })();
      await assert.rejects(ended, { status: 8, message: WORDS });
      assert.deepEqual(
        events.map((event) => {
          const { type, pod } = event as { type: string; pod?: Uint8Array };
          return [type, pod?.length];
        }),
        [
          ["ADDED", 5_000_000],
          ["SYNCED", undefined],
        ],
      );
    });
  });
}
