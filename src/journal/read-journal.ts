import { PodsError } from "../errors/pods-error.js";
import { addressOf } from "../lookup/address.js";
import { checkText, type OptionRows, resolve } from "../option-checks.js";
import { printable } from "../printable.js";
import { type EndRecord, isIdentified, keyOf, type StoredEnd, truncated, weightOf } from "./end-record.js";
import { JournalFiles } from "./journal-files.js";

/** Query of {@link readJournal}. Ends must match all given fields. */
export interface JournalQuery {
  /** Directory of the journal. */
  directory: string;
  /** UID of the pod. */
  uid?: string | undefined;
  /** Namespace of the pod. */
  namespace?: string | undefined;
  /** Name of the pod. */
  name?: string | undefined;
  /** ID of the container, with or without the name of the runtime. */
  containerID?: string | undefined;
  /** Address of the pod, in any spelling. */
  ip?: string | undefined;
  /** Leaves out earlier ends. */
  since?: Date | undefined;
  /** Maximum number of ends; all if it is undefined. A whole number. */
  limit?: number | undefined;
}

const QUERY: OptionRows<JournalQuery> = {
  directory: "string",
  uid: "string",
  namespace: "string",
  name: "string",
  containerID: "string",
  ip: "string",
  since: "date",
  limit: { type: "number", least: 0, whole: true },
};

/**
 * Reads ends from a journal, the latest first: by the time of the end, or by the time of the record if the former is not known. If several
 * processes recorded an end, the most detailed record counts. Damaged lines are skipped.
 *
 * @throws PodsError `not-found` if the directory contains no journal, `storage` if it cannot be read, `invalid-argument`.
 * @example
 * ```ts
 * for await (const { container, end } of readJournal({ directory: "/var/lib/my-agent/ends", namespace: "shop", name: "web-1" }))
 *   console.log(container?.name ?? "the pod", end.reason, end.exitCode, end.oom, end.finishedAt);
 * ```
 */
export async function* readJournal(query: JournalQuery): AsyncGenerator<EndRecord, void, undefined> {
  const { directory, since, limit } = resolve(query, QUERY, "readJournal");
  checkText(directory, "readJournal: directory");
  const files = new JournalFiles(directory, Number.POSITIVE_INFINITY, Date.now);
  const isJournal = await files.cursors().then(
    (cursors) => cursors !== undefined,
    (error) => {
      if (["ENOENT", "ENOTDIR"].includes(error.cause?.code)) return false;
      throw error;
    },
  );
  if (!isJournal) {
    const message = `${printable(directory, 300)} contains no journal`;
    throw new PodsError({ code: "not-found", message, hint: "pass the directory of openJournal()" });
  }
  const matches = matcherOf(query);
  const ends = new Map<string, StoredEnd>();
  for await (const stored of files.records()) {
    const { record } = stored;
    if (!matches(record)) continue;
    const key = isIdentified(record) ? keyOf(record) : `${stored.writer} ${stored.order}`;
    const known = ends.get(key);
    if (known === undefined || weightOf(record) > weightOf(known.record)) ends.set(key, stored);
  }
  const latest = [...ends.values()]
    .filter(({ record }) => since === undefined || endedMs(record) >= since.getTime())
    .sort((a, b) => endedMs(b.record) - endedMs(a.record) || b.order - a.order);
  for (const { record } of latest.slice(0, limit)) yield record;
}

function endedMs({ end, recordedAt }: EndRecord): number {
  return (end.finishedAt ?? recordedAt).getTime();
}

function matcherOf({ uid, namespace, name, containerID, ip }: JournalQuery): (record: EndRecord) => boolean {
  const id = containerID?.replace(/^.*:\/\//, "");
  const address = ip === undefined ? undefined : (addressOf(ip) ?? ip);
  return (record) =>
    (uid === undefined || record.uid === truncated(uid, 36)) &&
    (namespace === undefined || record.namespace === truncated(namespace)) &&
    (name === undefined || record.name === truncated(name)) &&
    (id === undefined || record.container?.containerID === id) &&
    (address === undefined || record.podIPs.some((each) => (addressOf(each) ?? each) === address));
}
