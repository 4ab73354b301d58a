// A peer's frames that arrive in one piece: what the first ones bring about happens within Node.js' read of all of them, and
// the last is wrong. A client whose session was destroyed there was ended by an assertion of nghttp2.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { envelope, frame, serveFrames } from "../helpers/hostile.js";
import { published } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";

const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
const END_HEADERS = 4;
const END_STREAM = 1;
/** `:status` 200 is the static table's entry 8, `content-type` the name of its entry 31 (RFC 7541, Appendix A). */
const HEADERS = frame(1, END_HEADERS, 1, Buffer.concat([Buffer.of(0x88, 0x5f), text("application/grpc")]));
const TRAILERS = frame(
  1,
  END_HEADERS | END_STREAM,
  1,
  Buffer.concat([Buffer.of(0x40), text("grpc-status"), text("0")]),
);
const MESSAGE = frame(0, 0, 1, envelope(new Uint8Array()));
const SYNC_COMPLETE = frame(0, 0, 1, envelope(Uint8Array.of(8, 4)));
const TOO_LARGE = frame(0, 0, 1, Buffer.of(0, 0xff, 0, 0, 0));
const goaway = (code: number) => frame(7, 0, 0, Buffer.of(0, 0, 0, 1, 0, 0, 0, code));
const reset = frame(3, 0, 1, Buffer.of(0, 0, 0, 2));
/** SETTINGS whose length is no multiple of six. */
const WRONG = frame(4, 0, 0, Buffer.alloc(5));

const LIST = "await pods.listPods().then(() => 'listed', (error) => error.code)";
const WATCH = "(await pods.watchPods().next()).value.type";

describe("a client that closes during a read survives the next frame of that read", { concurrency: true }, () => {
  const cases: [what: string, program: string, frames: Buffer[], told: RegExp][] = [
    ["a completed call", LIST, [HEADERS, MESSAGE, TRAILERS, WRONG], /listed/],
    ["a completed call on a connection that drains", LIST, [HEADERS, MESSAGE, goaway(0), TRAILERS, WRONG], /listed/],
    [
      "a call on a connection that fails",
      LIST,
      [HEADERS, goaway(2), MESSAGE, TRAILERS, WRONG],
      /listed|connection-lost/,
    ],
    ["a watch", WATCH, [HEADERS, SYNC_COMPLETE, SYNC_COMPLETE, WRONG], /SYNCED/],
    ["a watch that is reset", WATCH, [HEADERS, goaway(0), SYNC_COMPLETE, reset, WRONG], /SYNCED/],
    ["a watch whose message is too large", WATCH, [HEADERS, TOO_LARGE, SYNC_COMPLETE, WRONG], /DISCONNECTED/],
  ];
  for (const [what, program, frames, told] of cases) {
    test(what, async (t) => {
      const socketPath = await serveFrames(t, (socket) => socket.write(Buffer.concat(frames)));
      const code = `
        import { PodsClient } from ${JSON.stringify(published("index.js"))};
        const pods = new PodsClient({ socketPath: process.argv[1], retry: false });
        const told = ${program};
        await pods.close();
        console.log(told);`;
      const args = ["--input-type=module", "-e", code, socketPath];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      assert.match(stdout, told);
    });
  }
});
