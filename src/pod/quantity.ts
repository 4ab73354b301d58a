import type { Quantity } from "../gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";

const FORM = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d{1,4}))?$/;

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Returns true if `text` has the form of a Kubernetes quantity: `500m`, `1.5Gi`, `2e3`. */
export function isQuantity(text: string): boolean {
  return FORM.test(text);
}

/**
 * Converts a quantity to a number: CPUs for `cpu`, bytes for `memory` and `ephemeral-storage`. `"250m"` is 0.25, `"1Ki"` is 1024. Above
 * 2^53 it is the nearest number. Returns undefined if the quantity is absent, malformed or too large for a number.
 */
export function quantityToNumber(quantity: Quantity | string | undefined): number | undefined {
  const text = typeof quantity === "string" ? quantity : quantity?.string;
  const [, number, suffix, exponent] = FORM.exec(text ?? "") ?? [];
  if (number === undefined) return undefined;
  const factor = FACTORS[suffix ?? ""] ?? 1;
  const digits = Number(exponent === undefined ? number : `${number}e${exponent}`);
  // Dividing by 1000 is exact; multiplying by 0.001 is not.
  const value = factor < 1 ? digits / Math.round(1 / factor) : digits * factor;
  return Number.isFinite(value) ? value : undefined;
}

/** Powers of ten of the decimal suffixes. */
const POWERS: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Maximum length of a quantity. A number with a million digits would take seconds. */
const MAX_QUANTITY = 100;

/** Maximum power of ten. Quantities have at most 63 bits. */
const MAX_POWER = 40;

/**
 * Converts a quantity to billionths. Smaller parts are rounded up, as Kubernetes does. Returns undefined if it is absent, malformed or
 * longer than 100 characters.
 */
export function nanosOf(quantity: Quantity | string | undefined): bigint | undefined {
  const text = typeof quantity === "string" ? quantity : quantity?.string;
  if (text === undefined || text.length > MAX_QUANTITY) return undefined;
  const [, number, suffix = "", exponent = "0"] = FORM.exec(text) ?? [];
  if (number === undefined) return undefined;
  const [whole = "", fraction = ""] = number.replace(/^[+-]/, "").split(".");
  const isBinary = suffix.endsWith("i");
  const factor = isBinary ? BigInt(FACTORS[suffix] ?? 1) : 1n;
  const power = 9 - fraction.length + (isBinary ? 0 : (POWERS[suffix] ?? 0)) + Number(exponent);
  const digits = BigInt(`${whole}${fraction}` || "0") * factor;
  const scale = 10n ** BigInt(Math.min(Math.abs(power), MAX_POWER));
  const nanos = power >= 0 ? digits * scale : (digits + scale - 1n) / scale;
  return number.startsWith("-") ? -nanos : nanos;
}
