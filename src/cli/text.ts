import { escaped } from "../printable.js";
import { UsageError } from "./command.js";

/** What no terminal should see: as in `printable`, but for line breaks and tabs, which belong to the form. */
const RAW = /[\p{Cf}\u2028\u2029]|(?![\n\t])\p{Cc}/gu;

/** JSON for a terminal: control characters are escaped, which changes nothing of what it says. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(RAW, escaped);
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
        if (typeof node.value === "string" && node.value.search(RAW) >= 0) node.type = yaml.Scalar.QUOTE_DOUBLE;
      },
    });
    return document.toString({ indentSeq: false, lineWidth: 0 }).trimEnd().replace(RAW, escaped);
  };
}
