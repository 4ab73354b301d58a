import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { TestContext } from "node:test";
import { quiet } from "./quiescence.js";

/** Resolves when `isSo` returns true; rejects when the test's time is over. Looks before virtual time passes, or else every few milliseconds. */
export async function until(t: TestContext, isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    t.signal.throwIfAborted();
    await quiet();
  }
}

/** Resolves at the next message of a client's channel that is about this socket and such; call it before what brings the message. */
export function heard<M extends { socketPath: string }>(
  channel: `kubelet-pods:${"watch" | "retry" | "connection"}`,
  socketPath: string,
  isSuch: (message: M) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      const told = message as M;
      if (told.socketPath !== socketPath || !isSuch(told)) return;
      unsubscribe(channel, hear);
      resolve();
    };
    subscribe(channel, hear);
  });
}
