// What the client decides is the same with every mask within the fields that it reads itself.

import assert from "node:assert/strict";
import { seededRandom } from "../../src/testing/index.js";
import { runs } from "../helpers/property.js";
import { test } from "../helpers/test.js";
import { OWN } from "./messages.js";
import { playSteps, type Step } from "./play.js";
import type { Fields, Row } from "./trace.js";
import { playWild } from "./wild.js";

/** The same steps with other masks. Damage within one field is left out, because a mask decides whether it can be read. */
function withMasks(steps: readonly Step[], fieldsOf: () => Fields): Step[] {
  return steps.map((step) => {
    if (step.input.do !== "join" && step.input.do !== "leave") return step;
    return { ...step, input: { ...step.input, want: { ...step.input.want, fields: fieldsOf() } } };
  });
}

/** What is decided: which streams are requested and when, and which pods are added and deleted, with their causes. */
function decisions(rows: readonly Row[]): string[] {
  return rows.map(({ ms, requests, events }) => {
    const { opened, listed, closed, retryMs, timerMs } = requests;
    const about = [...events].flatMap(([name, texts]) => {
      const kept = texts.filter((text) => !text.startsWith("MODIFIED"));
      return kept.map((text) => `${name}: ${text.replace(/ \{.*?"uid":"(\w+)".*/, " $1")}`);
    });
    return `${ms} ${opened !== undefined} ${listed} ${closed} ${retryMs} ${timerMs} ${about}`;
  });
}

test("random masks change neither ADDED and DELETED, nor their causes, nor when lists are due", () => {
  const { numRuns } = runs(200);
  for (let seed = 1; seed <= numRuns; seed++) {
    const random = seededRandom(seed);
    const isPrompt = ({ input }: Step) => input.do !== "take";
    const { steps } = playWild(seed, { hasMaskedDamage: false, isSlow: false });
    const narrow = () => ["metadata.uid", ...OWN.filter((path) => path !== "metadata.uid" && random() < 0.2)];
    const whole = playSteps(
      seed,
      withMasks(steps.filter(isPrompt), () => undefined),
    );
    const masked = playSteps(seed, withMasks(steps.filter(isPrompt), narrow));
    assert.deepEqual(decisions(masked.recorder.rows), decisions(whole.recorder.rows), `seed ${seed}`);
  }
});
