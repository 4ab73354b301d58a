import fs from "node:fs";
import { invalidArgument } from "../errors/pods-error.js";
import { printable } from "../printable.js";

const GROUPS = "/etc/group";

/** Larger than any /etc/group. */
const MAX_BYTES = 1024 * 1024;

/**
 * Returns the number of a group; undefined if none is given.
 *
 * @throws PodsError `invalid-argument` for a name that is not in /etc/group, and for an invalid number.
 */
export function groupID(group: number | string | undefined): number | undefined {
  if (group === undefined) return undefined;
  const number = typeof group === "string" && /^\d{1,10}$/.test(group) ? Number(group) : group;
  if (typeof number === "string") return named(number);
  // 2^32 - 1 stands for "leave it as it is".
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 32 - 1) return number;
  throw invalidArgument("group: not the number of a group", "group: 65534");
}

function named(name: string): number {
  const found = read()
    .split("\n")
    .map((line) => line.split(":"))
    .find(([first]) => first === name)?.[2];
  if (found !== undefined && /^\d{1,10}$/.test(found)) return Number(found);
  throw invalidArgument(`group: there is no ${printable(name, 50)} in ${GROUPS}`, "give its number");
}

function read(): string {
  try {
    const stat = fs.statSync(GROUPS);
    return stat.isFile() && stat.size <= MAX_BYTES ? fs.readFileSync(GROUPS, "utf8") : "";
  } catch {
    return "";
  }
}
