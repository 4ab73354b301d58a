import { test } from "../helpers/test.js";
import { killAgents } from "./kills.js";

test("two agents killed at random moments lose none of a thousand ends", async (t) => {
  await killAgents(t, { containers: 40, rounds: 25 });
});

test("two agents killed at random moments, with a disk that fails at random, lose none of two thousand ends", async (t) => {
  await killAgents(t, { containers: 40, rounds: 50, hasFaults: true, maxBytes: 2_097_152 });
});
