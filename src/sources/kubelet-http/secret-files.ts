import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Maximum size of a file, larger than any token or bundle of certificates. */
const MAX_SECRET_BYTES = 1024 * 1024;

/** Codes of problems with a file for which the operating system has no code. */
type FileProblem = "ENOTFILE" | "ETOOLARGE";

/**
 * Reads files with tokens and certificates again each time, because they are rotated. A read that never ends, for example on an unreachable
 * network mount, blocks at most one thread of the process per file.
 */
export class SecretFiles {
  readonly #pending = new Map<string, Promise<string>>();

  /**
   * Returns a file's text.
   *
   * @throws Error with a `code`: one of the operating system, or a {@link FileProblem}.
   */
  read(path: string): Promise<string> {
    let pending = this.#pending.get(path);
    if (pending === undefined) {
      pending = readText(path).finally(() => this.#pending.delete(path));
      this.#pending.set(path, pending);
    }
    return pending;
  }
}

async function readText(path: string): Promise<string> {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw problem("ENOTFILE");
    if (stat.size > MAX_SECRET_BYTES) throw problem("ETOOLARGE");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

function problem(code: FileProblem): Error {
  return Object.assign(new Error(code), { code });
}
