import { UsageError } from "./command.js";

/** Control characters that JSON leaves as they are, and what turns the direction of text around. */
const RAW_IN_JSON = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** What YAML has to write in quotes so that it can be escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RAW_IN_YAML = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

function escaped(text: string): string {
  return text.replace(RAW_IN_JSON, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** JSON for a terminal: control characters are escaped, which changes nothing of what it says. */
export function jsonText(value: unknown, indent = 0): string {
  return escaped(JSON.stringify(value, null, indent));
}

/** YAML for a terminal, as {@link jsonText}. */
export type YamlText = (value: unknown) => string;

/** The writer of YAML. @throws UsageError where the package `yaml` is not installed. */
export async function loadYaml(): Promise<YamlText> {
  const yaml = await import("yaml").catch(() => undefined);
  if (yaml === undefined) throw new UsageError("-o yaml: install the package yaml beside this one");
  return (value) => {
    const document = new yaml.Document(value, { aliasDuplicateObjects: false });
    yaml.visit(document, {
      Scalar(_, node) {
        if (typeof node.value === "string" && RAW_IN_YAML.test(node.value)) node.type = yaml.Scalar.QUOTE_DOUBLE;
      },
    });
    return escaped(document.toString({ indentSeq: false, lineWidth: 0 }).trimEnd());
  };
}
