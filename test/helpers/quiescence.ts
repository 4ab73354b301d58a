// Finds the moments at which this process has nothing to do but to wait. Virtual time passes only then, so that no test depends on how long
// a file, a handshake or a busy machine takes.

/** Timers, and requests to the kernel or the thread pool, that end by themselves. Writes are not among them: a peer may never read them. */
const OUTSTANDING =
  /^(?:Immediate|Timeout|FSReq(?:Callback|Promise)|\w*CloseReq|(?:Pipe|TCP)ConnectWrap|Get(?:Addr|Name)InfoReqWrap)$/i;

/** Turns of the event loop after which the process sleeps between two of them, so that it leaves the core to what it waits for. */
const SPIN_TURNS = 50;

/** Maximum time between two looks of {@link quiet} while the process is never quiet, in milliseconds. */
const LOOK_MS = 5;

let isScheduled = false;
let turns = 0;
let events = 0;
/** Number of turns in a row that brought nothing. In the first one, an immediate may have written what the second one reads. */
let quietTurns = 0;
let lookedMs = 0;
/** True if whoever calls {@link quiet} has looked since something happened. */
let hasLooked = false;
const looks = new Set<() => void>();

/** Virtual time. */
export interface Time {
  /** True if something waits for time to pass. */
  readonly isAwaited: boolean;
  /** Advances to the next timer. */
  advance(): void;
}

let time: Time | undefined;

/** Resolves when the process is quiet, before virtual time passes, and otherwise after a few milliseconds. For conditions that are polled. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => {
    looks.add(resolve);
    schedule();
  });
}

/** Advances `passing` at each quiet moment, for as long as something waits for it. */
export function letPass(passing: Time): void {
  time = passing;
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  if (turns++ < SPIN_TURNS) {
    setImmediate(turn);
    return;
  }
  setTimeout(() => setImmediate(turn), 1);
}

function turn(): void {
  isScheduled = false;
  const isQuiet = hasNothingToDo();
  if (!isQuiet) hasLooked = false;
  const nowMs = performance.now();
  if (looks.size > 0 && (isQuiet ? !hasLooked : nowMs - lookedMs > LOOK_MS)) {
    hasLooked = true;
    lookedMs = nowMs;
    for (const look of looks) look();
    looks.clear();
  } else if (isQuiet) {
    hasLooked = false;
    quietTurns = turns = 0;
    if (time?.isAwaited) time.advance();
  }
  if (looks.size > 0 || time?.isAwaited) schedule();
  else turns = 0;
}

let countedEvents = 0;

/** Returns true if nothing has arrived since the last call, and nothing is outstanding but timers. */
export function isQuietTurn(): boolean {
  const before = countedEvents;
  ({ events: countedEvents } = performance.nodeTiming.uvMetricsInfo);
  const isOutstanding = (kind: string) => kind !== "Timeout" && OUTSTANDING.test(kind);
  return countedEvents === before && !process.getActiveResourcesInfo().some(isOutstanding);
}

/** Returns true if the last two turns of the event loop brought nothing, and nothing is outstanding that this process has started. */
function hasNothingToDo(): boolean {
  const before = events;
  ({ events } = performance.nodeTiming.uvMetricsInfo);
  if (events !== before) turns = 0;
  const isBusy = events !== before || process.getActiveResourcesInfo().some((kind) => OUTSTANDING.test(kind));
  quietTurns = isBusy ? 0 : quietTurns + 1;
  return quietTurns > 1;
}
