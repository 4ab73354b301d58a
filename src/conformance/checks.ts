import type { Check } from "./check.js";
import {
  checkContract,
  checkGet,
  checkList,
  checkMasks,
  checkMethods,
  checkNotFound,
  checkOrder,
  checkSameBytes,
  checkSize,
  checkSocket,
  checkStatic,
} from "./unary-checks.js";
import { checkBurst, checkLive } from "./watch-checks.js";

/** All checks, in order. They only read, and together make fewer than 40 requests. */
export const CHECKS: readonly Check[] = [
  { name: "socket", run: checkSocket },
  { name: "contract", run: checkContract },
  { name: "methods", run: checkMethods },
  { name: "list", run: checkList },
  { name: "order", run: checkOrder },
  { name: "static pods", run: checkStatic },
  { name: "size", run: checkSize },
  { name: "same bytes", run: checkSameBytes },
  { name: "get = list", run: checkGet },
  { name: "not found", run: checkNotFound },
  { name: "masks", run: checkMasks },
  { name: "first events", run: checkBurst },
  { name: "live events", run: checkLive },
];
