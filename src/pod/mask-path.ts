import { invalidArgument } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { closest } from "../suggestion.js";
import type { Field, MessageType } from "./field.js";
import { POD } from "./message-type.js";

/** Maximum length of a path. The longest path of the schema is a third as long. */
const MAX_PATH_LENGTH = 300;

/**
 * Returns the fields on a path, including those that Kubernetes' JSON leaves out.
 *
 * @throws PodsError `invalid-argument` that names the wrong segment, its message, and similar names.
 */
export function fieldsOf(path: string): Field[] {
  if (path.length > MAX_PATH_LENGTH)
    throw invalidArgument(
      `mask: ${quoted(path)} has more than ${MAX_PATH_LENGTH} characters`,
      "pass each path as its own string",
    );
  const fields: Field[] = [];
  let type: MessageType | undefined = POD;
  for (const segment of path.split(".")) {
    if (type === undefined) {
      const last = fields.at(-1) as Field;
      const what = last.kind === "map" ? "is a map, and masks select whole maps" : "has no fields";
      const hint = `${last.name} ${what}: end the path there`;
      throw invalidArgument(`mask: ${quoted(path)}: ${last.name} has no field ${quoted(segment)}`, hint);
    }
    const found = find(type, segment);
    if (found === undefined) {
      const close = closest(segment, namesOf(type));
      throw invalidArgument(
        `mask: ${quoted(path)}: ${type.name} has no field ${quoted(segment)}`,
        close.length === 0 ? `fields: ${namesOf(type).slice(0, 20).join(", ")}` : `did you mean ${close.join(", ")}?`,
      );
    }
    fields.push(...found);
    const last: Field | undefined = found.at(-1);
    type = last?.kind === "map" ? undefined : last?.message;
  }
  return fields;
}

/** Returns the field of this name, after its parent field if Kubernetes' JSON leaves that out. */
function find(type: MessageType, name: string): Field[] | undefined {
  const field = type.field(name);
  if (field !== undefined) return [field];
  for (const holder of inlinedIn(type)) {
    const inner: Field[] | undefined = holder.message && find(holder.message, name);
    if (inner !== undefined) return [holder, ...inner];
  }
  return undefined;
}

/** Returns the fields of inlined messages, whose keys Kubernetes' JSON writes into the parent. */
function inlinedIn({ fields }: MessageType): Field[] {
  return fields.filter(({ isInlined }) => isInlined);
}

function namesOf(type: MessageType): string[] {
  return [
    ...type.fields.map(({ name }) => name),
    ...inlinedIn(type).flatMap((f) => (f.message ? namesOf(f.message) : [])),
  ];
}

function quoted(text: string): string {
  return `"${printable(text, 80)}"`;
}
