// What the head and the trailers of an answer come to.

import assert from "node:assert/strict";
import http2 from "node:http2";
import fc from "fast-check";
import { GrpcError } from "../../src/errors/grpc-error.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { GrpcAnswer, percentDecoded } from "../../src/wire/grpc-answer.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";

type Head = Readonly<Record<string, string | number>>;
type Incoming = http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader;
const GRPC_HEAD: Head = { ":status": 200, "content-type": "application/grpc" };

/** What an answer of this head, and of these trailers, comes to. */
function outcome(head: Head, trailers?: http2.IncomingHttpHeaders): GrpcError | undefined {
  const answer = new GrpcAnswer();
  try {
    answer.onHeaders(head as Incoming, trailers === undefined);
    if (trailers !== undefined) answer.onTrailers(trailers);
    return answer.error();
  } catch (error) {
    assert.ok(error instanceof GrpcError);
    return error;
  }
}

describe("response headers", () => {
  const heads: [what: string, head: Head, status: number | undefined, code?: string][] = [
    ["application/grpc", GRPC_HEAD, undefined],
    ["application/grpc with a message format", { ...GRPC_HEAD, "content-type": "application/grpc+proto" }, undefined],
    [
      "application/grpc in capitals with a parameter",
      { ...GRPC_HEAD, "content-type": "Application/GRPC;charset=utf-8" },
      undefined,
    ],
    ["content type of gRPC-Web", { ...GRPC_HEAD, "content-type": "application/grpc-web" }, 2, "wrong-peer"],
    ["content type text/html", { ...GRPC_HEAD, "content-type": "text/html" }, 2, "wrong-peer"],
    ["no content type", { ":status": 200 }, 2, "wrong-peer"],
    ["explicit identity encoding", { ...GRPC_HEAD, "grpc-encoding": "Identity" }, undefined],
    ["gzip encoding", { ...GRPC_HEAD, "grpc-encoding": "gzip" }, 13, "wrong-peer"],
    ["HTTP 400", { ...GRPC_HEAD, ":status": 400 }, 13, "wrong-peer"],
    ["HTTP 401", { ...GRPC_HEAD, ":status": 401 }, 16, "wrong-peer"],
    ["HTTP 403", { ...GRPC_HEAD, ":status": 403 }, 7, "wrong-peer"],
    ["HTTP 404", { ...GRPC_HEAD, ":status": 404 }, 12, "not-served"],
    ["HTTP 429", { ...GRPC_HEAD, ":status": 429 }, 14, "server-error"],
    ["HTTP 503", { ...GRPC_HEAD, ":status": 503 }, 14, "server-error"],
    ["HTTP 500", { ...GRPC_HEAD, ":status": 500 }, 2, "wrong-peer"],
    [
      "HTTP 503 with content type text/plain",
      { ":status": 503, "content-type": "text/plain", "grpc-status": "5" },
      14,
      "server-error",
    ],
    ["HTTP 503 with a gRPC status", { ...GRPC_HEAD, ":status": 503, "grpc-status": "5" }, undefined],
  ];
  for (const [what, head, status, code] of heads) {
    test(what, () => {
      const error = outcome(head, { "grpc-status": "0" });
      assert.deepEqual([error?.status, error?.code], [status, code]);
    });
  }
});

describe("grpc-status", () => {
  test("0 means success, in trailers and in a trailers-only response", () => {
    assert.equal(outcome(GRPC_HEAD, { "grpc-status": "0" }), undefined);
    assert.equal(outcome({ ...GRPC_HEAD, "grpc-status": "0" }), undefined);
  });

  test("in headers is ignored unless the response is trailers-only", () => {
    assert.equal(outcome({ ...GRPC_HEAD, "grpc-status": "5" }, { "grpc-status": "0" }), undefined);
    assert.equal(outcome({ ...GRPC_HEAD, "grpc-status": "5" })?.status, 5);
  });

  for (let status = 1; status <= 16; status++) {
    test(`${status} becomes an error with the server's message`, () => {
      const error = outcome(GRPC_HEAD, { "grpc-status": String(status), "grpc-message": "no%20disk" });
      assert.deepEqual([error?.status, error?.code, error?.message], [status, undefined, "no disk"]);
    });
  }

  for (const status of ["17", "99", "-1", "1e0", "0x1", " 0", "", "x", "0, 0", "000"]) {
    test(`${JSON.stringify(status)} is invalid and becomes a server-error with the server's message`, () => {
      const error = outcome(GRPC_HEAD, { "grpc-status": status, "grpc-message": "words" });
      assert.deepEqual([error?.status, error?.code], [2, undefined]);
      assert.match(error?.message ?? "", /words$/);
      assert.equal(PodsError.from(error).code, "server-error");
    });
  }

  test("that is missing, or missing headers, means connection-lost", () => {
    assert.equal(outcome(GRPC_HEAD, {})?.code, "connection-lost");
    assert.equal(outcome(GRPC_HEAD)?.code, "connection-lost");
    assert.equal(new GrpcAnswer().error()?.code, "connection-lost");
  });

  test("takes precedence over a later reset, including status 0", () => {
    const stream = { rstCode: http2.constants.NGHTTP2_INTERNAL_ERROR } as http2.ClientHttp2Stream;
    const answer = new GrpcAnswer();
    answer.onHeaders(GRPC_HEAD as Incoming, false);
    assert.equal(answer.broken(stream, new Error("reset"))?.code, "connection-lost");
    answer.onTrailers({ "grpc-status": "5" });
    assert.equal(answer.broken(stream, new Error("reset"))?.status, 5);
    answer.onTrailers({ "grpc-status": "0" });
    assert.equal(answer.broken(stream, new Error("reset")), undefined);
  });

  test("of a reset follows the specification's table, and REFUSED_STREAM is marked as unprocessed", () => {
    const statusOf = (rstCode: number) => {
      const error = new GrpcAnswer().broken({ rstCode } as http2.ClientHttp2Stream, undefined);
      return [error?.status, error?.isUnprocessed];
    };
    const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY } =
      http2.constants;
    assert.deepEqual(statusOf(NGHTTP2_REFUSED_STREAM), [14, true]);
    assert.deepEqual(statusOf(NGHTTP2_CANCEL), [1, false]);
    assert.deepEqual(statusOf(NGHTTP2_ENHANCE_YOUR_CALM), [8, false]);
    assert.deepEqual(statusOf(NGHTTP2_INADEQUATE_SECURITY), [7, false]);
    for (const code of [1, 2, 3, 4, 6, 9, 10]) assert.deepEqual(statusOf(code), [13, false]);
  });
});

describe("grpc-message and grpc-status-details-bin", () => {
  test("decodes percent-encoded messages and keeps invalid escapes as they are", () => {
    for (const [sent, words] of [
      ["a%20b", "a b"],
      ["%E6%BC%A2", "漢"],
      ["100%", "100%"],
      ["%zz%41", "%zzA"],
      ["%f0%9f", "\ufffd"],
      ["%", "%"],
      ["%2", "%2"],
    ] as const) {
      assert.equal(percentDecoded(sent), words, sent);
    }
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        assert.equal(percentDecoded(encodeURIComponent(text)), text);
      }),
      runs(300),
    );
  });

  test("reads details with or without padding and omits invalid or oversized ones", () => {
    const detailsOf = (value: string | string[]) =>
      outcome(GRPC_HEAD, { "grpc-status": "5", "grpc-status-details-bin": value })?.details;
    const bytes = Buffer.from([8, 5, 18, 1]);
    assert.deepEqual(detailsOf(bytes.toString("base64")), bytes);
    assert.deepEqual(detailsOf(bytes.toString("base64").replace(/=+$/, "")), bytes);
    for (const none of ["?", "a".repeat(16_385), ["AA", "AA"]]) assert.equal(detailsOf(none), undefined);
  });

  test("truncates long messages and passes on the retry pushback", () => {
    const error = outcome(GRPC_HEAD, {
      "grpc-status": "14",
      "grpc-message": "x".repeat(100_000),
      "grpc-retry-pushback-ms": "-1",
    });
    assert.deepEqual([error?.message.length, error?.pushback], [8_192, "-1"]);
  });
});
