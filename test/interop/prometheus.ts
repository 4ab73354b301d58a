// The programs of Prometheus: those of the path, or those of Debian's package, which is unpacked and not installed.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(homedir(), ".cache/kubelet-pods-prometheus");

/** The folder of `prometheus` and `promtool`, or undefined. */
function folderOf(): string | undefined {
  const found = spawnSync("sh", ["-c", "dirname $(command -v prometheus)"]).stdout.toString().trim();
  if (found !== "" && existsSync(join(found, "promtool"))) return found;
  const unpacked = join(cache, "usr/bin");
  if (existsSync(join(unpacked, "promtool"))) return unpacked;
  try {
    mkdirSync(join(cache, ".."), { recursive: true });
    const aside = mkdtempSync(`${cache}-`);
    const apt = (...args: string[]) => execFileSync("apt-get", ["-qq", ...args], { cwd: aside, stdio: "ignore" });
    apt("update");
    apt("download", "prometheus");
    const file = readdirSync(aside).find((name) => name.endsWith(".deb")) ?? "";
    execFileSync("dpkg-deb", ["-x", file, "."], { cwd: aside, stdio: "ignore" });
    renameSync(aside, cache);
    return unpacked;
  } catch {
    return undefined;
  }
}

const folder = folderOf();

/** `false`, or why tests with these programs are skipped: they are where they can be had. Its Go code is asked everywhere. */
export const noPrometheus: string | false =
  folder !== undefined ? false : "no prometheus here, and no apt-get that has it";

/** The path of a program. */
export const prometheusProgram = (name: "prometheus" | "promtool"): string => join(folder ?? "", name);
