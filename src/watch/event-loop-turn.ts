/** How long events are told in one turn of the event loop; a list of hundreds of pods takes several. */
const TURN_MS = 8;

/**
 * The present turn of the event loop. A loop that awaits what is there already lets nothing else run, timers and sockets
 * included: so after a while the rest is told in the next turn.
 */
class Turn {
  #startMs: number | undefined;
  readonly #waiting = new Set<() => void>();

  /** Whether nothing more is to be told in this turn; if so, `resume` is called in the next one. */
  isUp(resume: () => void): boolean {
    if (this.#startMs === undefined) {
      this.#startMs = performance.now();
      setImmediate(() => this.#end());
    }
    const isUp = performance.now() - this.#startMs > TURN_MS;
    if (isUp) this.#waiting.add(resume);
    return isUp;
  }

  #end(): void {
    this.#startMs = undefined;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }
}

/** For all watches of the process: they share its one event loop. */
export const TURN: Turn = new Turn();
