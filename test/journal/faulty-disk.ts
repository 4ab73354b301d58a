// A disk on which one operation in twenty-five fails: short writes, a full disk, I/O errors of writes and of fdatasync, no free descriptor.

import { open } from "node:fs/promises";
import type { Disk } from "../../src/journal/journal-files.js";

function failed(code: string): never {
  throw Object.assign(new Error(code), { code });
}

export function faultyDisk(random: () => number): Disk {
  const isFaulty = () => random() < 0.04;
  return {
    open: async (path, flags, mode) => (isFaulty() ? failed("EMFILE") : open(path, flags, mode)),
    write: async (handle, text) => {
      const code = random() < 0.5 ? "ENOSPC" : "EIO";
      if (isFaulty()) {
        await handle.writeFile(text.subarray(0, Math.floor(random() * text.length)));
        failed(code);
      }
      await handle.writeFile(text);
    },
    sync: async (handle) => (isFaulty() ? failed("EIO") : handle.datasync()),
  };
}
