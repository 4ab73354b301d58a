// npm run test:newest: the whole test suite with the newest connect, on a copy of the working tree. The lock file has
// the oldest that is supported, which npm chooses on Node 20.

import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const copy = join(mkdtempSync(join(tmpdir(), "newest-connect-")), "main");
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: copy, stdio: "inherit" });
try {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const shared = join(root, "../shared");
  if (existsSync(shared)) symlinkSync(shared, join(dirname(copy), "shared"));
  run("npm", "install", "@connectrpc/connect@latest", "@connectrpc/connect-node@latest");
  run("npm", "test");
} finally {
  rmSync(dirname(copy), { recursive: true, force: true });
}
