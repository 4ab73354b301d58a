// Ships the logs of this node's containers: a tail for each life, drained when the life has ended, from where it was left.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type LogLine,
  type LogPosition,
  LogTail,
  logPathOf,
  type PodKey,
  PodsClient,
  parseLogPath,
  podMask,
  podMasks,
} from "kubelet-pods";

const mask = podMasks.logPathOf.union(podMask("metadata.labels"));

/** A line with where it is from. */
export interface ShippedLine extends LogLine {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly restartCount: number;
  /** The labels as the kubelet had them when the line was read. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface ShipperOptions {
  socketPath?: string;
  /** The kubelet's `podLogsDir`, mounted from the host. */
  logRoot?: string;
  /** Where it is written down how far each file was shipped. */
  stateFile: string;
  signal: AbortSignal;
  /** How often the files are read, in milliseconds. */
  pollMs?: number;
  /** Takes lines; those that it has taken are not shipped again, unless the process ends before that is written down. */
  emit(lines: readonly ShippedLine[]): Promise<void> | void;
}

interface Followed {
  readonly tail: LogTail;
  readonly key: NonNullable<ReturnType<typeof parseLogPath>>;
  /** Whether something was told of it since it was last read. */
  again: boolean;
}

/** Ships logs until the signal aborts. */
export async function shipLogs(options: ShipperOptions): Promise<void> {
  const { socketPath, logRoot = "/var/log/pods", stateFile, signal, pollMs = 250, emit } = options;
  await using client = new PodsClient(socketPath === undefined ? {} : { socketPath });
  // What has gone is known for ten minutes: its last lines are labelled too.
  const informer = client.informer({ mask, retainMs: 600_000 });
  const positions = positionsIn(stateFile);
  const followed = new Map<string, Followed>();
  let isChanged = false;
  const failed = new AbortController();
  const running = AbortSignal.any([signal, failed.signal]);

  function follow(path: string): void {
    const key = parseLogPath(path);
    if (key === undefined || key.rotated || key.restartCount === undefined) return;
    const known = followed.get(path);
    if (known !== undefined)
      known.again = true; // it may just be let go of
    else followed.set(path, { key, tail: new LogTail(path, { position: positions.get(path) }), again: false });
  }

  /**
   * Returns whether a file may still be written to: it is the last one of a container that runs. Its number says little of the life:
   * of init containers whose files were removed kubelets go on counting, and the files begin again.
   */
  function isCurrent(path: string, { uid, containerName, restartCount = 0 }: Followed["key"]): boolean {
    const found = informer.find({ uid, containerName } as PodKey);
    const isLast = !existsSync(join(dirname(path), `${restartCount + 1}.log`));
    return isLast && found?.gone === undefined && found?.container?.ended === false;
  }

  /** Ships what is new in a file, and lets go of it at its end, where the life that wrote it has ended. */
  async function ship(path: string, each: Followed): Promise<void> {
    const { tail, key } = each;
    const isWritten = isCurrent(path, key); // first: what is written before the end is told is in the file by then
    each.again = false;
    const send = async (lines: readonly LogLine[]) => {
      const { namespace, name: pod, uid = "", containerName: container = "", restartCount = 0 } = key;
      const labels = informer.find(key as PodKey).pod?.metadata.labels ?? {};
      await emit(lines.map((line) => ({ ...line, namespace, pod, uid, container, restartCount, labels })));
      positions.set(path, tail.position);
      isChanged = true;
    };
    // What is wrong with one file is its own matter: the others go on.
    const read = () =>
      tail.read().catch(async (error: Error) => {
        followed.delete(path);
        await tail.close();
        console.error(`not shipped: ${error.message}`);
        return undefined;
      });
    let lines = await read();
    for (; lines !== undefined && lines.length > 0; lines = await read()) await send(lines);
    if (lines === undefined) return;
    if (isWritten || isCurrent(path, key) || each.again) return;
    const last = tail.flush();
    if (last.length > 0) await send(last);
    await tail.close();
    followed.delete(path);
  }

  async function shipAll(): Promise<void> {
    for (const [path, each] of [...followed]) await ship(path, each);
    if (!isChanged) return;
    isChanged = false;
    for (const path of positions.keys()) if (!followed.has(path) && !existsSync(path)) positions.delete(path);
    writeFileSync(`${stateFile}.new`, JSON.stringify([...positions]));
    renameSync(`${stateFile}.new`, stateFile);
  }

  /** Follows a container's files when something is told of it: also those of lives that the kubelet has never shown. */
  async function followLives(): Promise<void> {
    for await (const event of informer.watchContainers({ signal: running })) {
      if (event.type === "SYNCED" || event.type === "DISCONNECTED") continue;
      const { name } = event.container;
      const directory = dirname(logPathOf(event.pod, { name, restartCount: 0 }, { logRoot }));
      if (event.type === "STARTED") follow(logPathOf(event.pod, event.container, { logRoot })); // it may be yet to come
      for (const file of await readdir(directory).catch(() => [])) follow(join(directory, file));
    }
  }

  // Goes on where it cannot be known whose the files are: a kubelet that is away is no reason to lose lines.
  await informer.synced({ timeoutMs: 10_000, signal }).catch(() => {});
  const files = (await readdir(logRoot, { recursive: true }).catch(() => [])).map((name) => join(logRoot, name));
  for (const path of files) follow(path);
  for (const path of positions.keys()) if (!files.includes(path)) positions.delete(path);
  let failure: unknown;
  const lives = followLives().catch((error) => {
    failure = error;
    failed.abort();
  });
  while (!running.aborted) {
    await shipAll();
    await sleep(pollMs, undefined, { signal: running }).catch(() => {});
  }
  await lives;
  await shipAll();
  for (const { tail } of followed.values()) await tail.close();
  if (!signal.aborted) throw failure;
}

function positionsIn(stateFile: string): Map<string, LogPosition> {
  try {
    return new Map(JSON.parse(readFileSync(stateFile, "utf8")) as [string, LogPosition][]);
  } catch {
    return new Map(); // the first time
  }
}
