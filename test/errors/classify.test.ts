import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import fc from "fast-check";
import { CODES, type CodeFacts } from "../../src/errors/error-code.js";
import { GRPC, GrpcError } from "../../src/errors/grpc-error.js";
import { PodsError } from "../../src/errors/pods-error.js";
import { root } from "../helpers/programs.js";
import { runs } from "../helpers/property.js";
import { describe, test } from "../helpers/test.js";

const OPERATING = join(root, "docs/guides/operating.md");
const fromServer = (code: Code, message = "text") => new ConnectError(message, code, { "grpc-status": String(code) });
const errno = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

describe("errors sent by the kubelet", () => {
  const cases: [code: Code, method: string, expected: string][] = [
    [Code.NotFound, "GetPod", "not-found"],
    [Code.NotFound, "ListPods", "server-error"],
    [Code.FailedPrecondition, "ListPods", "initializing"],
    [Code.FailedPrecondition, "WatchPods", "initializing"],
    [Code.ResourceExhausted, "GetPod", "rate-limited"],
    [Code.ResourceExhausted, "WatchPods", "dropped"],
    [Code.Unimplemented, "ListPods", "not-served"],
    [Code.Unavailable, "ListPods", "connection-lost"],
    [Code.PermissionDenied, "ListPods", "not-permitted"],
    [Code.Unauthenticated, "ListPods", "not-permitted"],
    [Code.DeadlineExceeded, "ListPods", "deadline"],
    [Code.DeadlineExceeded, "List", "deadline"],
    [Code.DeadlineExceeded, "Get", "deadline"],
    [Code.DeadlineExceeded, "GetAllocatableResources", "deadline"],
    [Code.DeadlineExceeded, "WatchPods", "server-error"],
    [Code.Canceled, "ListPods", "server-error"],
    [Code.Internal, "ListPods", "server-error"],
    [Code.InvalidArgument, "ListPods", "server-error"],
  ];
  for (const [code, method, expected] of cases) {
    test(`${Code[code]} of ${method} is ${expected}`, () => {
      const error = PodsError.from(fromServer(code), { method });
      assert.equal(error.code, expected);
      assert.equal(error.grpcCode, code);
      assert.equal(error.method, method);
    });
  }

  for (const method of ["ListPods", "GetPod", "WatchPods", "List", undefined]) {
    test(`a refusal by the rate limit is rate-limited for ${method ?? "an unknown method"}`, () => {
      const text = "rejected by rate limit";
      const status = GRPC.resourceExhausted;
      for (const error of [fromServer(Code.ResourceExhausted, text), new GrpcError({ status, message: text })]) {
        const { code, retryable, hint, rawMessage } = PodsError.from(error, { method });
        assert.deepEqual([code, retryable], ["rate-limited", true]);
        assert.match(hint, /100 calls per second/);
        assert.equal(rawMessage, "rejected by rate limit (ResourceExhausted)");
      }
    });
  }

  test("any other ResourceExhausted of a watch is dropped", () => {
    for (const text of ["watch client channel closed", "", "limit"])
      assert.equal(PodsError.from(fromServer(Code.ResourceExhausted, text), { method: "WatchPods" }).code, "dropped");
  });

  test("rawMessage has the server's text, otherwise the status, and names a lost connection's socket [#38]", () => {
    const messageOf = (error: unknown, socketPath?: string) => PodsError.from(error, { socketPath }).rawMessage;
    assert.equal(messageOf(fromServer(Code.Internal, "no disk")), "no disk (Internal)");
    assert.equal(messageOf(fromServer(Code.Internal, "")), "Internal");
    const lost = new ConnectError("reset", Code.Aborted);
    assert.equal(messageOf(lost), "the connection was lost: reset (Aborted)");
    assert.equal(messageOf(lost, "/a.sock"), "the connection to /a.sock was lost: reset (Aborted)");
  });

  test("errors about the request are not retryable, other server errors are", () => {
    assert.equal(PodsError.from(fromServer(Code.InvalidArgument)).retryable, false);
    assert.equal(PodsError.from(fromServer(Code.OutOfRange)).retryable, false);
    assert.equal(PodsError.from(fromServer(Code.Internal)).retryable, true);
  });
});

describe("errors raised by the client", () => {
  const cases: [error: unknown, expected: string][] = [
    [new ConnectError("x", Code.Canceled), "connection-lost"],
    [new ConnectError("message size 9 is larger than configured readMaxBytes 8", Code.ResourceExhausted), "too-large"],
    [
      new ConnectError("http/2 stream closed with error code ENHANCE_YOUR_CALM", Code.ResourceExhausted),
      "connection-lost",
    ],
    [new ConnectError("x", Code.DeadlineExceeded), "deadline"],
    [new ConnectError("HTTP 200", Code.Unknown), "wrong-peer"],
    [new ConnectError("HTTP 404", Code.Unimplemented), "not-served"],
    [new ConnectError("parse binary: premature EOF", Code.InvalidArgument), "corrupt"],
    [new ConnectError("x", Code.DataLoss), "corrupt"],
    [new ConnectError("x", Code.Internal, undefined, undefined, errno("ENOENT")), "socket-missing"],
    [new ConnectError("x", Code.Internal, undefined, undefined, errno("EACCES")), "not-permitted"],
    [new ConnectError("x", Code.Internal, undefined, undefined, errno("EAGAIN")), "connection-lost"],
    [new ConnectError("x", Code.Internal, undefined, undefined, errno("EMFILE")), "connection-lost"],
    [errno("ECONNREFUSED"), "connection-refused"],
    [errno("ERR_HTTP2_GOAWAY_SESSION"), "connection-lost"],
    [errno("ENAMETOOLONG"), "invalid-path"],
    [new Error("x"), "unknown"],
    ["text", "unknown"],
    [undefined, "unknown"],
  ];
  for (const [error, expected] of cases) {
    test(`${error} ${(error as { cause?: Error } | undefined)?.cause ?? ""} is ${expected}`, () => {
      assert.equal(PodsError.from(error).code, expected);
    });
  }
});

describe("errors over a protocol without grpc-status", () => {
  const cases: [code: Code, method: string | undefined, expected: string][] = [
    [Code.NotFound, "GetPod", "not-found"],
    [Code.NotFound, undefined, "not-found"],
    [Code.FailedPrecondition, "ListPods", "initializing"],
    [Code.ResourceExhausted, "GetPod", "rate-limited"],
    [Code.ResourceExhausted, "WatchPods", "dropped"],
    [Code.Unimplemented, "ListPods", "not-served"],
    [Code.PermissionDenied, "ListPods", "not-permitted"],
    [Code.Unauthenticated, "ListPods", "not-permitted"],
    [Code.OutOfRange, "ListPods", "server-error"],
  ];
  for (const [code, method, expected] of cases) {
    test(`${Code[code]} of ${method} is ${expected}`, () => {
      assert.equal(PodsError.from(new ConnectError("text", code), { method }).code, expected);
    });
  }

  test("Internal with response headers is server-error", () => {
    const answered = new ConnectError("text", Code.Internal, { "content-type": "application/json" });
    assert.equal(PodsError.from(answered, { method: "ListPods" }).code, "server-error");
  });
});

test("EPERM, as from SELinux or AppArmor, is not-permitted [#6]", () => {
  const error = PodsError.from(new ConnectError("x", Code.Internal, undefined, undefined, errno("EPERM")));
  assert.deepEqual([error.code, error.retryable], ["not-permitted", false]);
  assert.match(error.hint, /run as root/);
});

test("any status, message and metadata gives a PodsError with a known code [#38]", () => {
  const anyStatus = fc.record({
    code: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer()),
    message: fc.string({ unit: "binary" }),
    status: fc.option(fc.oneof(fc.integer({ min: -1, max: 99 }).map(String), fc.constantFrom("", "x", "1e3"))),
    pushback: fc.option(fc.constantFrom("", "0", "-1", "x", "99999999999")),
    method: fc.constantFrom("ListPods", "GetPod", "WatchPods", undefined, "__proto__", "constructor"),
    cause: fc.oneof(
      fc.constant(undefined),
      fc.constantFrom("ENOENT", "__proto__", "ERR_HTTP2_X", "toString").map(errno),
      fc.anything(),
    ),
  });
  fc.assert(
    fc.property(anyStatus, ({ code, message, status, pushback, method, cause }) => {
      const metadata = new Headers();
      if (status !== null) metadata.set("grpc-status", status);
      if (pushback !== null) metadata.set("grpc-retry-pushback-ms", pushback);
      const error = PodsError.from(new ConnectError(message, code, metadata, undefined, cause), { method });
      assert.ok(PodsError.is(error));
      assert.ok(Object.hasOwn(CODES, error.code), String(error.code));
      assert.equal(typeof error.retryable, "boolean");
      assert.ok(error.message.startsWith(`${error.code}: `) && error.message.endsWith(error.hint));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      assert.doesNotMatch(error.message, /[\u0000-\u001f\u007f-\u009f]/);
    }),
    runs(5_000),
  );
});

describe("PodsError", () => {
  test("PodsError.is recognises an error from another copy of the package", async () => {
    const copy: string = "../../src/errors/pods-error.js?copy"; // another module, to the loader
    const other = (await import(copy)) as typeof import("../../src/errors/pods-error.js");
    const error = new other.PodsError({ code: "socket-missing", message: "x" });
    assert.notEqual(other.PodsError, PodsError);
    assert.equal(error instanceof PodsError, false);
    assert.equal(PodsError.is(error), true);
    assert.equal(PodsError.is(new Error("socket-missing: x")), false);
    assert.equal(PodsError.is({ code: "socket-missing" }), false);
  });

  test("from() returns a given PodsError, or one among the causes", () => {
    const error = new PodsError({ code: "socket-missing", message: "x" });
    assert.equal(PodsError.from(error), error);
    assert.equal(PodsError.from(new Error("outer", { cause: new Error("inner", { cause: error }) })), error);
    const loop: Error & { cause?: unknown } = new Error("loop");
    loop.cause = loop;
    assert.equal(PodsError.from(loop).code, "unknown");
  });

  test("the message contains the code, the attempts and the hint, in this order", () => {
    const error = new PodsError({
      code: "socket-missing",
      message: "no socket",
      hint: "mount it",
      attempts: 3,
      elapsedMs: 1234,
    });
    assert.equal(error.message, "socket-missing: no socket (3 attempts in 1.2 s); mount it");
    assert.equal(error.rawMessage, "no socket");
  });

  test("the hints name the counter of dropped events and the mirror pod annotation (#90)", () => {
    assert.match(CODES["dropped"].hint, /kubelet_pod_watch_events_dropped_total/);
    assert.match(CODES["not-found"].hint, /kubernetes\.io\/config\.hash/);
  });
});

test("errors of Node's permission model are not-permitted, with a hint naming the flags", () => {
  for (const error of [
    errno("ERR_ACCESS_DENIED"),
    new ConnectError("x", Code.Internal, undefined, undefined, errno("ERR_ACCESS_DENIED")),
  ]) {
    const { code, hint, retryable } = PodsError.from(error, { method: "ListPods", socketPath: "/s" });
    assert.deepEqual([code, retryable], ["not-permitted", false]);
    assert.match(hint, /--permission: add --allow-fs-read .*--allow-net/);
  }
});

test("maps errno names and Node.js error codes to PodsError codes, others to unknown", () => {
  const codes: Readonly<Record<string, string>> = {
    ENOENT: "socket-missing",
    ENOTDIR: "socket-missing",
    ELOOP: "socket-missing",
    ECONNREFUSED: "connection-refused",
    EACCES: "not-permitted",
    EPERM: "not-permitted",
    ERR_ACCESS_DENIED: "not-permitted",
    ENAMETOOLONG: "invalid-path",
    ECONNRESET: "connection-lost",
    EPIPE: "connection-lost",
    EAGAIN: "connection-lost",
    EMFILE: "connection-lost",
    ENFILE: "connection-lost",
    ERR_HTTP2_STREAM_ERROR: "connection-lost",
    ENOSPC: "unknown",
    ERR_INVALID_ARG_TYPE: "unknown",
  };
  for (const [name, code] of Object.entries(codes)) assert.equal(PodsError.from(errno(name)).code, code, name);
});

test("operating.md lists every error code with its retryability, hint and remedy", () => {
  const page = readFileSync(OPERATING, "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` +\| (yes|no) +\| (.+?) +\| (.+?) +\|$/gm)];
  assert.deepEqual(
    Object.fromEntries(rows.map(([, code, mayPass, , hint]) => [code, { retryable: mayPass === "yes", hint }])),
    Object.fromEntries(
      Object.entries(CODES).map(([code, { retryable, hint }]) => [code, { retryable, hint: hint === "" ? "–" : hint }]),
    ),
  );
  const todo = page.slice(page.indexOf("### What to do"), page.indexOf("### Unconfirmed and unreadable"));
  const codes = [...todo.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, cell = ""]) => cell.match(/[a-z-]+/g) ?? []);
  assert.deepEqual(codes.sort(), Object.keys(CODES).sort());
});

test("maps error codes to retry classes, and operating.md names those that end a watch", () => {
  const of = (name: keyof CodeFacts, value: unknown) =>
    Object.entries(CODES).flatMap(([code, facts]) => (facts[name] === value ? [code] : []));
  assert.deepEqual(of("endsWatch", true), ["not-permitted", "invalid-path", "wrong-peer", "not-served"]);
  assert.deepEqual(of("watch", "unreachable"), ["socket-missing", "connection-refused"]);
  assert.deepEqual(of("watch", "initializing"), ["initializing"]);
  assert.deepEqual(of("watch", "crowded"), ["rate-limited"]);
  assert.deepEqual(of("watch", "blocked"), ["not-permitted", "not-a-socket", "wrong-peer", "not-served"]);
  assert.deepEqual([of("watchAgain", "slow"), of("watchAgain", "bug")], [["dropped"], ["too-large"]]);
  assert.deepEqual(of("call", "unreachable"), ["socket-missing", "connection-refused"]);
  assert.deepEqual(of("call", "transient"), ["connection-timeout", "connection-lost", "server-error"]);
  assert.deepEqual([of("call", "initializing"), of("call", "limited")], [["initializing"], ["rate-limited"]]);
  const page = readFileSync(OPERATING, "utf8");
  const ends = /Four codes end a watch before its first SYNCED:([^.]*)\./.exec(page)?.[1] ?? "";
  assert.deepEqual((ends.match(/[a-z-]+/g) ?? []).sort(), of("endsWatch", true).sort());
});

test("the message ends with the name of the gRPC status", () => {
  for (let code = 1; code <= 16; code++) {
    const { rawMessage } = PodsError.from(fromServer(code, ""));
    assert.ok(rawMessage.endsWith(String(Code[code])), `${code}: ${rawMessage}`);
  }
});
