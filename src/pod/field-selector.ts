import type { Pod } from "../gen/pod-types.js";
import { isFinalPhase } from "./lifecycle.js";
import { quoted, SelectorText } from "./selector-text.js";

/** A field that selectors support, and how it is read. */
interface SelectableField {
  readonly paths: readonly string[];
  /** Returns the value as the API server compares it. */
  read(pod: Pod): string;
}

/**
 * The fields that the API server selects pods by (ToSelectableFields in k8s.io/kubernetes/pkg/registry/core/pod), with the older fields
 * that it falls back to if the newer one is empty (pkg/apis/core/v1/defaults.go).
 */
const FIELDS: Readonly<Record<string, SelectableField>> = {
  "metadata.name": { paths: ["metadata.name"], read: ({ metadata }) => metadata?.name ?? "" },
  "metadata.namespace": { paths: ["metadata.namespace"], read: ({ metadata }) => metadata?.namespace ?? "" },
  "spec.nodeName": { paths: ["spec.nodeName"], read: ({ spec }) => spec?.nodeName ?? "" },
  "spec.restartPolicy": { paths: ["spec.restartPolicy"], read: ({ spec }) => spec?.restartPolicy ?? "" },
  "spec.schedulerName": { paths: ["spec.schedulerName"], read: ({ spec }) => spec?.schedulerName ?? "" },
  "spec.serviceAccountName": {
    paths: ["spec.serviceAccountName", "spec.serviceAccount"],
    read: ({ spec }) => spec?.serviceAccountName || spec?.serviceAccount || "",
  },
  "spec.hostNetwork": { paths: ["spec.hostNetwork"], read: ({ spec }) => String(spec?.hostNetwork ?? false) },
  "status.phase": { paths: ["status.phase"], read: ({ status }) => status?.phase ?? "" },
  "status.podIP": {
    paths: ["status.podIP", "status.podIPs"],
    read: ({ status }) => status?.podIP || status?.podIPs[0]?.ip || "",
  },
  "status.nominatedNodeName": {
    paths: ["status.nominatedNodeName"],
    read: ({ status }) => status?.nominatedNodeName ?? "",
  },
};

/** A parsed field selector. */
export interface FieldTest {
  /** The fields that it reads of a pod. */
  readonly paths: readonly string[];
  /** True if it asks for a phase that only finished pods have. */
  readonly wantsFinished: boolean;
  matches(pod: Pod): boolean;
}

/**
 * Reads a field selector in the syntax of `kubectl --field-selector`: `status.phase=Running,metadata.namespace!=kube-system`.
 * A backslash stands before `,`, `=` and `\` in a value.
 *
 * @throws PodsError `invalid-argument` that names the character.
 */
export function parseFieldSelector(text: string): FieldTest {
  const source = new SelectorText("fieldSelector", text);
  const terms = termsOf(text).map(({ term, at }) => parseTerm(source, term, at));
  return {
    paths: [...new Set(terms.flatMap(({ field }) => field.paths))],
    wantsFinished: terms.some(
      ({ field, equal, value }) => field === FIELDS["status.phase"] && equal && isFinalPhase(value),
    ),
    matches: (pod) => terms.every(({ field, equal, value }) => (field.read(pod) === value) === equal),
  };
}

/** Returns the pieces between unescaped commas, without empty ones. */
function termsOf(text: string): { term: string; at: number }[] {
  return [...text.matchAll(/(?:\\[\s\S]?|[^\\,])+/g)].map(({ 0: term, index: at }) => ({ term, at }));
}

function parseTerm(source: SelectorText, term: string, at: number) {
  const operator = /!=|==|=/.exec(term);
  if (operator === null) {
    const length = /^[\w.]*/.exec(term)?.[0].length ?? 0;
    throw source.wrong(at + length, "there should be =, == or != and a value");
  }
  const name = term.slice(0, operator.index);
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (field === undefined) {
    throw source.wrong(at, `${quoted(name)} is no field to select by`, `there are ${Object.keys(FIELDS).join(", ")}`);
  }
  const valueAt = operator.index + operator[0].length;
  const value = unescaped(source, term.slice(valueAt), at + valueAt);
  // Any other value would select nothing, as in kubectl. A misspelt phase is refused instead.
  if (name === "status.phase" && !PHASES.includes(value)) {
    const meant = PHASES.find((phase) => phase.toLowerCase() === value.toLowerCase());
    if (meant !== undefined) throw source.wrong(at + valueAt, `${quoted(value)} is no phase`, `did you mean ${meant}?`);
  }
  return { field, equal: operator[0] !== "!=", value };
}

/** The phases of a pod (PodPhase in core/v1). */
const PHASES: readonly string[] = ["Pending", "Running", "Succeeded", "Failed", "Unknown"];

function unescaped(source: SelectorText, value: string, at: number): string {
  let text = "";
  for (let i = 0; i < value.length; i++) {
    const escaped = value[i] === "\\";
    const character = value[escaped ? i + 1 : i];
    if (escaped ? !(character === "\\" || character === "," || character === "=") : character === "=") {
      throw source.wrong(at + i, "in a value a backslash stands before each =, comma and backslash, and nowhere else");
    }
    text += character;
    if (escaped) i++;
  }
  return text;
}
