import { invalidArgument } from "../errors/pods-error.js";
import { printable } from "../printable.js";

/** The expected shape of an input value: a string, a whole number from 0, a list with items of one shape, or an object. */
export type Shape = "text" | "count" | readonly [Shape] | ObjectShape;

/** The keys of an object. Those that end in `?` may be missing. */
interface ObjectShape {
  readonly [key: string]: Shape;
}

/**
 * Checks the shape of an input value.
 *
 * @throws PodsError `invalid-argument` with the path, the expected type and the actual type.
 */
export function checkShape(value: unknown, shape: Shape, path: string): void {
  if (shape === "text") expect(typeof value === "string", value, path, "a string");
  else if (shape === "count")
    expect(Number.isSafeInteger(value) && Number(value) >= 0, value, path, "a non-negative integer");
  else if (isList(shape)) {
    expect(Array.isArray(value), value, path, "a list");
    for (const [i, item] of (value as unknown[]).entries()) checkShape(item, shape[0], `${path}[${i}]`);
  } else checkObject(value, shape, path);
}

function checkObject(value: unknown, shape: ObjectShape, path: string): void {
  expect(typeof value === "object" && value !== null && !Array.isArray(value), value, path, "an object");
  const given = value as Record<string, unknown>;
  const names = Object.keys(shape).map((key) => key.replace(/\?$/, ""));
  for (const key of Object.keys(given)) {
    if (names.includes(key)) continue;
    throw invalidArgument(`${path}.${printable(key, 80)}: unknown key`, `keys: ${names.join(", ")}`);
  }
  for (const [key, below] of Object.entries(shape)) {
    const name = key.replace(/\?$/, "");
    const isMissing = given[name] === undefined;
    if (!(isMissing && name !== key)) checkShape(given[name], below, `${path}.${name}`);
  }
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function expect(holds: boolean, value: unknown, path: string, what: string): void {
  if (holds) return;
  const found = value === undefined ? "it is missing" : `found ${Array.isArray(value) ? "a list" : typeof value}`;
  throw invalidArgument(`${path} must be ${what}; ${found}`);
}
