import type { TestContext } from "node:test";

/** Resolves when something that is read at times is so; rejects when the test's time is over. */
export async function until(t: TestContext, isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    t.signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
