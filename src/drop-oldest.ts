const NOTHING_DROPPED: readonly never[] = [];

/** Deletes the oldest entries until `most` are left, and returns their keys. */
export function dropOldest<K>(entries: Set<K> | Map<K, unknown>, most: number): readonly K[] {
  if (entries.size <= most) return NOTHING_DROPPED;
  const dropped: K[] = [];
  for (const oldest of entries.keys()) {
    if (entries.size <= most) break;
    entries.delete(oldest);
    dropped.push(oldest);
  }
  return dropped;
}
