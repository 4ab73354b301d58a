#!/usr/bin/env node
import { systemEnvironment } from "../timing/clock.js";
import { run } from "./run.js";

const ended = new AbortController();

let broken = false;

// A reader that goes away, as `head` does, ends the command and is no failure; a full disk is one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && !broken) {
      broken = true;
      if (stream === process.stdout) process.stderr.write(`kubelet-pods: cannot write (${error.code})\n`);
    }
    ended.abort();
  });
}

const code = await run(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  write: (text) => void process.stdout.write(text),
  colours: process.stdout.isTTY === true && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb",
  err: (text) => void process.stderr.write(`${text}\n`),
  environment: systemEnvironment,
  // Only a command that asks for it ends in its own way; the others do as the signal says.
  ended() {
    // A second one does not interrupt what the first has begun to clear up.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.abort());
    return ended.signal;
  },
});
process.exitCode = broken ? 1 : code;
