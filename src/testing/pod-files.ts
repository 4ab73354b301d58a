import { invalidArgument } from "../errors/pods-error.js";
import type { PodJson } from "../pod/json-types.js";
import { printable } from "../printable.js";

/**
 * The pods of a text: a Pod, a PodList or List (`kubectl get pods -A -o json`), a JSON array of them, or several documents
 * separated by `---`. JSON, or YAML where the package `yaml` is installed. What is in a pod is not checked here.
 *
 * @throws PodsError `invalid-argument` where the text is neither, or holds something else than pods.
 */
export async function parsePods(text: string): Promise<PodJson[]> {
  if (typeof text !== "string") throw invalidArgument("parsePods: not text");
  return (await parseDocuments(text)).flatMap((document, i) => podsOf(document, `document ${i + 1}`));
}

async function parseDocuments(text: string): Promise<unknown[]> {
  const parts = text.split(/^---\s*$/m).filter((part) => part.trim() !== "");
  try {
    return parts.map((part) => JSON.parse(part) as unknown);
  } catch (error) {
    // What begins like JSON is meant to be. The parser's message is left out: it would quote the content.
    if (/^\s*[{[]\s*("|\{|\[|$)/.test(text))
      throw invalidArgument(`the pods are no JSON: ${placeOf(error as Error, text)}`);
  }
  const yaml = await import("yaml").catch(() => undefined);
  if (yaml === undefined) throw invalidArgument("the pods are not JSON", "to read YAML, install the package yaml");
  const documents = yaml.parseAllDocuments(text);
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      throw invalidArgument(`the pods are neither JSON nor YAML: see line ${error.linePos?.[0].line ?? "?"}`);
    }
  }
  try {
    return documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  } catch {
    throw invalidArgument("the pods cannot be read as YAML: an alias that leads nowhere, or too many of them");
  }
}

/** Where JSON ends to be JSON, as far as the parser says: some name the end as a position, some do not. */
function placeOf({ message }: Error, text: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  return position >= text.trimEnd().length
    ? "it ends too early"
    : `see line ${text.slice(0, position).split("\n").length}`;
}

function podsOf(document: unknown, path: string): PodJson[] {
  if (Array.isArray(document)) return document.flatMap((item, i) => podsOf(item, `${path}[${i}]`));
  if (typeof document !== "object" || document === null) throw invalidArgument(`${path}: not an object`);
  const { kind, items } = document as { kind?: unknown; items?: unknown };
  if (Array.isArray(items)) return items.flatMap((item, i) => podsOf(item, `${path}.items[${i}]`));
  if (kind === "PodList" || kind === "List") throw invalidArgument(`${path}: a list without items`);
  if (kind !== "Pod" && kind !== undefined)
    throw invalidArgument(`${path}: a ${printable(String(kind), 40)}, not a Pod`);
  return [document as PodJson];
}
