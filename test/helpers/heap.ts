// What the heap holds, by kind.

import { getHeapSnapshot } from "node:v8";

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
  strings: string[];
}

/** Counts the objects and closures of the heap by their class's or function's name, after a collection. */
export async function heapByKind(): Promise<Map<string, number>> {
  const chunks: Buffer[] = [];
  for await (const chunk of getHeapSnapshot()) chunks.push(chunk as Buffer);
  const { snapshot, nodes, strings } = JSON.parse(Buffer.concat(chunks).toString()) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf("type"), fields.indexOf("name")];
  const kinds = new Map<string, number>();
  for (let at = 0; at < nodes.length; at += fields.length) {
    const kind = types[0][nodes[at + type] ?? 0] ?? "";
    if (kind !== "object" && kind !== "closure") continue;
    const key = `${kind} ${strings[nodes[at + name] ?? 0]}`;
    kinds.set(key, (kinds.get(key) ?? 0) + 1);
  }
  return kinds;
}
