// Asks kubectl's and the API server's own code: test/interop/go/judge.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import type { PodJson } from "../../src/index.js";
import { runs } from "../helpers/property.js";
import { type goVersions, program } from "./go-kubelet.js";

/** A question to test/interop/go/judge. */
export interface Question {
  op: "labels" | "row";
  selector?: string;
  labels?: Record<string, string>;
  pod?: PodJson;
}

/** Its answer. */
export interface Answer {
  ok: boolean;
  error?: string;
  matches: boolean;
  cells?: string[];
}

/** Asks all questions at once; returns the answers in their order. */
export function judge(version: (typeof goVersions)[number], questions: readonly Question[]): Answer[] {
  const input = questions.map((question, id) => JSON.stringify({ id, ...question })).join("\n");
  const { stdout, status } = spawnSync(program(version, "judge"), { input: `${input}\n`, maxBuffer: 1 << 30 });
  assert.equal(status, 0);
  const answers = stdout.toString().trimEnd().split("\n");
  assert.equal(answers.length, questions.length);
  return answers.map((line) => JSON.parse(line) as Answer);
}

/** The same samples in every run, unless $PROPERTY_SEED says otherwise. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  return fc.sample(arbitrary, runs(count));
}
