import type { ConformanceReport } from "../conformance/conformance.js";

/**
 * Writes a report as JUnit XML for CI systems. A violation of the contract is a failure, an omitted check is skipped. If nothing could be
 * judged, there is one error.
 */
export function junitOf({ socketPath, versions, checks, counts, tookMs, error }: ConformanceReport): string {
  const properties = Object.entries({ socketPath, api: versions.api, kubelet: versions.kubelet });
  const lines = checks.map(({ name, outcome, detail }) => {
    const attributes = `name="${escaped(name)}" classname="kubelet-pods.conformance"`;
    if (outcome === "fail") return `  <testcase ${attributes}><failure message="${escaped(detail)}"/></testcase>`;
    if (outcome === "skip") return `  <testcase ${attributes}><skipped message="${escaped(detail)}"/></testcase>`;
    const words = outcome === "note" ? `note: ${detail}` : detail;
    return `  <testcase ${attributes}><system-out>${escaped(words)}</system-out></testcase>`;
  });
  if (error !== undefined) {
    const attributes = `name="reach the kubelet" classname="kubelet-pods.conformance"`;
    lines.push(`  <testcase ${attributes}><error message="${escaped(error.message)}"/></testcase>`);
  }
  const numbers = `tests="${lines.length}" failures="${counts.fail}" errors="${error === undefined ? 0 : 1}" skipped="${counts.skip}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="kubelet-pods conformance" ${numbers} time="${(tookMs / 1000).toFixed(3)}">`,
    "  <properties>",
    ...properties.flatMap(([name, value]) =>
      value === undefined ? [] : [`    <property name="${name}" value="${escaped(value)}"/>`],
    ),
    "  </properties>",
    ...lines,
    "</testsuite>",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for an attribute, and replaces characters that XML 1.0 does not allow, also lone surrogates. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "?")
    .replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}
