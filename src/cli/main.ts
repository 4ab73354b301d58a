#!/usr/bin/env node
import { systemEnvironment } from "../timing/clock.js";
import { run } from "./run.js";

const ended = new AbortController();

let broken = false;

// If a reader such as `head` closes the pipe, the command ends without failure. A full disk is a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && !broken) {
      broken = true;
      if (stream === process.stdout)
        process.stderr.write(`kubelet-pods: cannot write to standard output (${error.code})\n`);
    }
    ended.abort();
  });
}

const code = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  colours: process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
  err: (text) => void process.stderr.write(`${text}\n`),
  environment: systemEnvironment,
  // Only a command that calls this handles signals itself. Others are ended by the signal.
  ended() {
    // A second signal does not interrupt the cleaning up.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.abort());
    return ended.signal;
  },
});
process.exitCode = broken ? 1 : code;
