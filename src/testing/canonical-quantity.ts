import { isMessage } from "@bufbuild/protobuf";
import { QuantitySchema } from "../gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js";
import { nanosOf } from "../pod/quantity.js";

const NANO = 1_000_000_000n;
const DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/** Quantities that Go keeps unchanged, because no digit has to be moved (ParseQuantity in apimachinery). */
const STAYS = /^-?[1-9]\d*((\.(\d{3})+)?[kMGTPE]|\.(\d{3})+|[eE][+-]?\d+)$/;

/** The end of a quantity whose digits have to be moved: `1000k` becomes `1M`. */
const MOVES = /000[kMGTPE]?$/;

const MILLI = 1_000_000n;

/**
 * Returns a resource quantity as kubelets send it, after Kubernetes' defaulting (SetDefaults_ResourceList in pkg/apis/core/v1): `1500m` for
 * `1.5`, `1536Mi` for `1.5Gi`, `1` for `1000m`. Rounds to thousandths, away from zero.
 */
export function canonicalQuantity(text: string): string {
  const nanos = nanosOf(text);
  if (nanos === undefined || (STAYS.test(text) && !MOVES.test(text))) return text;
  const sign = nanos < 0n ? "-" : "";
  const rest = (nanos < 0n ? -nanos : nanos) + MILLI - 1n;
  const amount = rest - (rest % MILLI);
  if (amount === 0n) return "0";
  // Only whole numbers have a binary suffix.
  if (/[KMGTPE]i$/.test(text) && amount % NANO === 0n) {
    const [digits, steps] = reduced(amount / NANO, 1024n, BINARY.length - 1);
    return `${sign}${digits}${BINARY[steps]}`;
  }
  const [digits, steps] = reduced(amount, 1000n, DECIMAL.length - 1);
  return `${sign}${digits}${DECIMAL[steps]}`;
}

/** Divides by `base` as long as there is no remainder, at most `most` times. */
function reduced(amount: bigint, base: bigint, most: number): [digits: bigint, steps: number] {
  let [digits, steps] = [amount, 0];
  while (steps < most && digits % base === 0n) {
    digits /= base;
    steps++;
  }
  return [digits, steps];
}

/**
 * Rewrites all resource quantities in a message, which are values of maps. Other quantities, such as the size of a volume, stay unchanged.
 */
export function canonicalizeQuantities(value: unknown): void {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  const isMap = !isMessage(value) && !Array.isArray(value);
  for (const each of Object.values(value)) {
    if (!isMessage(each, QuantitySchema)) canonicalizeQuantities(each);
    else if (isMap) each.string = canonicalQuantity(each.string);
  }
}
