// What `describe` tells, judged by kubectl's own code: each line of kubectl's is one of ours, in its order.

import assert from "node:assert/strict";
import { describePod } from "../../src/cli/describe/describe-pod.js";
import { linesOf } from "../../src/cli/describe/fact.js";
import { fromKubernetesJson, type PodJson, toKubernetesJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { POD_STATES } from "../cli/pod-states.js";
import { realPods, roundTrips } from "../helpers/fixtures.js";
import { test } from "../helpers/test.js";
import { goVersions, noGo } from "./go-kubelet.js";
import { judge } from "./judge.js";

/** The words of a line, and the section in which it stands. */
interface Line {
  readonly section: string;
  readonly words: string;
}

function parsed(text: string): Line[] {
  let section = "";
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      if (!line.startsWith(" ")) section = /^[^:]*/.exec(line)?.[0] ?? "";
      return { section, words: line.trim().replace(/\s+/g, " ") };
    });
}

/** Sections that are about where a pod is to run: on its node that is decided. */
const SCHEDULING = new Set(["Topology Spread Constraints", "SchedulingGroup"]);

/** Lines of kubectl's that say that something is not set, or what a reference stands for. */
const UNSET = /^[\w ]+:( (<unset>|false|0|\[\]|map\[\]))?$|^(?:Limits|Requests|Ports?|Host Ports?):$/;

/** Lines of kubectl's as they would be without what it adds: remarks on a volume's type, values behind references. */
function known({ section, words }: Line): string | undefined {
  if (section === "Volumes") {
    const type = /^Type: (\w+)/.exec(words)?.[1];
    return type === undefined ? undefined : `Type: ${type}`;
  }
  // 1.36 has shorter words for two of a probe's counts.
  words = words.replace("#success=", "successThreshold=").replace("#failure=", "failureThreshold=");
  // What a field stands for is read by kubectl; we say which field it is.
  const reference = /^(\S+:)(?: .*)? (\((?:v1:|limits\.|requests\.)\S*\))$/.exec(words);
  return reference === null ? words : `${reference[1]} ${reference[2]}`;
}

function compare(given: readonly PodJson[]): number {
  const pods = given.map((pod) => toKubernetesJson(fromKubernetesJson(pod, { allowUnknownKeys: true })));
  let count = 0;
  for (const version of goVersions) {
    const answers = judge(
      version,
      pods.map((pod) => ({ op: "describe", pod })),
    );
    for (const [i, json] of pods.entries()) {
      const { ok, text = "", error = "" } = answers[i] ?? { ok: false };
      if (error.startsWith("panic: ")) continue;
      assert.ok(ok, error);
      const told = parsed(linesOf(describePod(fromKubernetesJson(json), json, Date.now())).join("\n"));
      let at = 0;
      for (const line of parsed(text)) {
        const words = SCHEDULING.has(line.section) ? undefined : known(line);
        if (words === undefined || UNSET.test(words)) continue;
        // A volume of every kind at once, which no API server admits.
        if (line.section === "Volumes" && json.spec?.volumes?.some((volume) => Object.keys(volume).length > 2))
          continue;
        // Kubelets always say the class; without it kubectl works it out.
        if (words.startsWith("QoS Class:") && !json.status?.qosClass) continue;
        const isSame = (ours: Line) =>
          ours.section === line.section &&
          (line.section === "Conditions" ? `${ours.words} `.startsWith(`${words} `) : ours.words === words);
        const found = told.findIndex((ours, place) => place >= at && isSame(ours));
        assert.ok(found >= 0, `${version} ${json.metadata?.name}, ${line.section}: ${words}`);
        at = found + 1;
        count++;
      }
    }
  }
  return count;
}

test("each line that kubectl describes of the sample's pods, and of pods in each state", { skip: noGo }, () => {
  assert.ok(
    compare([
      ...sampleNode(),
      ...POD_STATES.map(([name, pod], i) => ({
        ...pod,
        metadata: { ...pod.metadata, name: `${name.replaceAll(/\W/g, "-")}-${i}`, namespace: "n" },
      })),
    ]) > 1_000,
  );
});

test("the same of real pods, and of pods with every field", { skip: noGo }, () => {
  compare([...realPods().map(({ json }) => json), ...roundTrips().map(({ json }) => json)]);
});
