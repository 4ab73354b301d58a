import { escaped } from "../printable.js";

/** Characters that must not reach a terminal, as in `printable`, except line breaks and tabs of the layout. */
const RAW = /[\p{Cf}\u2028\u2029]|(?![\n\t])\p{Cc}/gu;

/** Returns JSON for a terminal, with escaped control characters. */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replace(RAW, escaped);
}

/** Returns YAML for a terminal, like {@link jsonText}. */
export type YamlText = (value: unknown) => string;

export async function loadYaml(): Promise<YamlText> {
  const yaml = await import("yaml");
  return (value) => {
    // kubectl, the kubelet and PyYAML read YAML 1.1, so strings are quoted that would be another type there.
    const document = new yaml.Document(value, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
    yaml.visit(document, {
      Scalar(_, node) {
        const isText = typeof node.value === "string";
        if (isText && (node.value === "=" || (node.value as string).search(RAW) >= 0))
          node.type = yaml.Scalar.QUOTE_DOUBLE;
      },
    });
    return document.toString({ indentSeq: false, lineWidth: 0 }).trimEnd().replace(RAW, escaped);
  };
}
