import { test } from "../helpers/test.js";
import { killAgents } from "./kills.js";

test("a thousand ends, with two agents at a time that are killed at random moments", async (t) => {
  await killAgents(t, { containers: 40, rounds: 25 });
});
