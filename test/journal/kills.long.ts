import { test } from "../helpers/test.js";
import { killAgents } from "./kills.js";

test("two agents killed at random moments lose none of a thousand ends", async (t) => {
  await killAgents(t, { containers: 40, rounds: 25 });
});
