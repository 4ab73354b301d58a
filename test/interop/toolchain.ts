// The go command for a module file of test/interop/go, with the Go that this file asks for.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../helpers/programs.js";

export const moduleDirectory: string = join(root, "test/interop/go");

/** Runs go in test/interop/go. An older Go than the module file requires fetches that Go as a module. @throws Error that names both versions */
export function runGo(modFile: string, args: readonly string[]): string {
  const text = readFileSync(join(moduleDirectory, modFile), "utf8");
  if (text.includes("bin/stand-ins"))
    execFileSync(join(root, "test/interop/stand-ins.sh"), [join(moduleDirectory, "bin/stand-ins")]);
  const required = /^go (\S+)$/m.exec(text)?.[1] ?? "";
  const local = execFileSync("go", ["env", "GOVERSION"], { env: { ...process.env, GOTOOLCHAIN: "local" } });
  const version = local.toString().trim().replace(/^go/, "");
  const isOlder = version.localeCompare(required, "en", { numeric: true }) < 0;
  const env = { ...process.env, GOTOOLCHAIN: isOlder ? `go${required}` : "local", CGO_ENABLED: "0" };
  const options = { cwd: moduleDirectory, env, maxBuffer: 1 << 28, encoding: "utf8" } as const;
  try {
    return execFileSync("go", args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string };
    const older = isOlder
      ? `${modFile} requires Go ${required}, and this machine has ${version}: install it, or allow the module proxy. `
      : "";
    throw new Error(`${older}go ${args.join(" ")}: ${stderr.slice(-2_000)}`);
  }
}
