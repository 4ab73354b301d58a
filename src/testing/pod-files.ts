import { invalidArgument } from "../errors/pods-error.js";
import type { PodJson } from "../pod/json-types.js";
import { printable } from "../printable.js";

type Yaml = typeof import("yaml");

/**
 * Parses pods from JSON or YAML: a Pod, a PodList or List (`kubectl get pods -A -o json`), an array of them, or several documents separated
 * by `---`. Does not check the content of the pods.
 *
 * @throws PodsError `invalid-argument` if the text is neither JSON nor YAML, or contains objects other than pods.
 */
export async function parsePods(text: string): Promise<PodJson[]> {
  if (typeof text !== "string") throw invalidArgument("parsePods: text must be a string");
  // UTF-16 text that was read as UTF-8 has a NUL in every other position.
  if (text.slice(0, 100).includes("\0"))
    throw invalidArgument("parsePods: the text is not UTF-8", "if it is UTF-16, save it as UTF-8");
  return (await parseDocuments(text.replace(/^\ufeff/, ""))).flatMap((document, i) =>
    podsOf(document, `document ${i + 1}`),
  );
}

async function parseDocuments(text: string): Promise<unknown[]> {
  const parts = text.split(/^---\s*$/m).filter((part) => part.trim() !== "");
  try {
    return parts.map((part) => JSON.parse(part) as unknown);
  } catch (error) {
    // Text that begins like JSON is not tried as YAML. The parser's message is omitted, because it would quote content.
    if (/^\s*[{[]\s*("|\{|\[|$)/.test(text))
      throw invalidArgument(`the pods are not valid JSON: ${placeOf(error as Error, text)}`);
  }
  const yaml: Yaml = await import("yaml");
  const documents = yaml.parseAllDocuments(text);
  for (const document of documents) {
    const [error] = document.errors;
    if (error !== undefined) {
      throw invalidArgument(`the pods are not valid YAML: see line ${error.linePos?.[0].line ?? "?"}`);
    }
  }
  refuseAmbiguous(yaml, text, documents);
  try {
    return documents.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  } catch {
    throw invalidArgument("the pods are not valid YAML: an alias without an anchor, or too many aliases");
  }
}

/**
 * Rejects infinities and NaN, as kubectl does. Also rejects plain scalars that differ between YAML 1.1, which kubectl and kubelets read,
 * and YAML 1.2: `defaultMode: 0644` is 420 in YAML 1.1 and 644 in YAML 1.2. Times and sexagesimal numbers are strings in both.
 *
 * @throws PodsError `invalid-argument` with the number of the line.
 */
function refuseAmbiguous(yaml: Yaml, text: string, documents: readonly { contents: unknown }[]): void {
  const older = new Map<number, unknown>();
  for (const document of yaml.parseAllDocuments(text, { version: "1.1" })) {
    yaml.visit(document, {
      Scalar(_, { range, value, format }) {
        if (range && format !== "TIME" && !(value instanceof Date)) older.set(range[0], value);
      },
    });
  }
  for (const document of documents) {
    yaml.visit(document as Parameters<Yaml["visit"]>[0], {
      Scalar(_, { range, type, value, source = "" }) {
        if (type !== "PLAIN" || !range) return;
        const place = `line ${text.slice(0, range[0]).split("\n").length}: ${printable(source, 40)}`;
        if (typeof value === "number" && !Number.isFinite(value)) {
          throw invalidArgument(`${place} is not a JSON number`, "put it in quotes if it is a string");
        }
        const old = older.get(range[0]);
        const isSame =
          !older.has(range[0]) || Object.is(old, value) || (typeof old === "number" && !NUMBER_TEXT.test(source));
        if (isSame) return;
        const what = `${place} has different values in YAML 1.1, which kubectl reads, and YAML 1.2`;
        const hint = typeof old === "boolean" ? "write true or false" : "write it in decimal, such as 420 for 0644";
        throw invalidArgument(what, `${hint}, or put it in quotes if it is a string`);
      },
    });
  }
}

/** The start of every number in Go's YAML. `.` alone, as in managedFields, and `e3` are strings in it. */
const NUMBER_TEXT = /^[-+]?\.?\d/;

/** Describes where a text stops being JSON, by the position in the parser's message. Without a position, the text ends too early. */
function placeOf({ message }: Error, text: string): string {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
  return position >= text.trimEnd().length
    ? "it ends too early"
    : `see line ${text.slice(0, position).split("\n").length}`;
}

/** A pod without a kind has at least one of these. */
const POD_FIELDS = ["metadata", "spec", "status"];

function podsOf(document: unknown, path: string): PodJson[] {
  if (Array.isArray(document)) return document.flatMap((item, i) => podsOf(item, `${path}[${i}]`));
  if (typeof document !== "object" || document === null) throw invalidArgument(`${path} must be an object`);
  const { kind, items } = document as { kind?: unknown; items?: unknown };
  if (Array.isArray(items)) return items.flatMap((item, i) => podsOf(item, `${path}.items[${i}]`));
  if (kind === "PodList" || kind === "List") {
    if (items === null) return []; // as Go encodes an empty list
    throw invalidArgument(`${path}.items must be a list`);
  }
  if (kind !== "Pod" && kind !== undefined)
    throw invalidArgument(`${path}: expected a Pod, found a ${printable(String(kind), 40)}`);
  if (kind === undefined && !POD_FIELDS.some((field) => Object.hasOwn(document, field)))
    throw invalidArgument(`${path} is not a Pod`, "a pod has kind: Pod, or metadata, spec or status");
  return [document as PodJson];
}
