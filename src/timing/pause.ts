import type { Clock } from "./clock.js";

/**
 * Resolves after `delayMs`, when `wake` resolves, or when `signal` aborts. Never rejects. Leaves no timer and no listener.
 *
 * @param wake may end the pause early; its signal aborts when the pause is over.
 */
export async function pause(
  clock: Clock,
  delayMs: number,
  signal?: AbortSignal,
  wake?: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const end = () => over.abort();
  const cancelTimer = clock.after(delayMs, end);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  wake?.(over.signal).then(end, () => {}); // the pause goes on if `wake` fails
  await new Promise<void>((resolve) => {
    if (over.signal.aborted) resolve();
    else over.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  cancelTimer();
  signal?.removeEventListener("abort", end);
}
