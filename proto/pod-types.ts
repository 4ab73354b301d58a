// npm run generate: writes src/gen/pod-types.ts, the messages of a pod as those who read them see them, from what buf has generated.
//
// protobuf-es' own types can be written to, and so can be no part of something that several readers have in common. These here
// can be read alone, lists and maps included, and a message of protobuf-es is one of them.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./field-table.js";

const FILES = [
  "k8s/io/api/core/v1/pod",
  "k8s/io/apimachinery/pkg/apis/meta/v1/meta",
  "k8s/io/apimachinery/pkg/api/resource/quantity",
  "k8s/io/apimachinery/pkg/util/intstr/int_or_string",
];

/** Messages whose parts are always there: the decoder fills in those that a kubelet leaves out. */
const WHOLE: ReadonlySet<string> = new Set(["Pod"]);

function typeOf(type: string): string {
  if (type === "Uint8Array") return type;
  return type.replace(/^(\w+)\[\]$/, "readonly $1[]").replace(/^\{ \[/, "{ readonly [");
}

const messages = FILES.flatMap((file) => {
  const text = readFileSync(join(root, `src/gen/${file}_pb.ts`), "utf8");
  const found = text.matchAll(/(\/\*\*\n(?: \*.*\n)+)export type (\w+) = (Message<"[\w.]+">) & \{\n([\s\S]*?)\n\};\n/g);
  return [...found].map(([, doc = "", name = "", message = "", body = ""]) => {
    const fields = body.replace(/^ {2}(\w+)(\??): (.*);$/gm, (_, field: string, optional: string, type: string) => {
      if (!WHOLE.has(name)) return `  readonly ${field}${optional}: ${typeOf(type)};`;
      return `  readonly ${field}: ${typeOf(type.replace(" | undefined", ""))};`;
    });
    const typeName = `  readonly $typeName: ${message.slice("Message<".length, -1)};
  /** Fields that this version does not know. */
  readonly $unknown?: readonly UnknownField[] | undefined;\n`;
    const plain = (text: string) => text.replace(/^ *\*\n *\* @generated.*\n/gm, "");
    return `${plain(doc)}export interface ${name} {\n${typeName}\n${plain(fields)}\n}\n`;
  });
});

writeFileSync(
  join(root, "src/gen/pod-types.ts"),
  `// Written by proto/pod-types.ts: change pod-fields.json, pod-docs.yaml or the script, not this file.

/** A field that this version does not know, as it came. */
export interface UnknownField {
  /** Its number. */
  readonly no: number;
  /** How it is written, as in the low three bits of its tag. */
  readonly wireType: number;
  /** Its value, behind the tag. */
  readonly data: Uint8Array;
}

${messages.join("\n")}`,
);
