import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The repository's root. */
export const root: string = join(import.meta.dirname, "..");

/** Calls `use` with a copy of the working tree, without what git ignores. Deletes the copy afterwards. */
export function inWorkingCopy(use: (copy: string) => void): void {
  const copy = join(mkdtempSync(join(tmpdir(), "working-copy-")), "main");
  try {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
    for (const file of listed.toString().split("\0").filter(Boolean)) {
      if (!existsSync(join(root, file))) continue; // deleted, and not yet committed
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    const shared = join(root, "../shared");
    if (existsSync(shared)) symlinkSync(shared, join(dirname(copy), "shared"));
    use(copy);
  } finally {
    rmSync(dirname(copy), { recursive: true, force: true });
  }
}
