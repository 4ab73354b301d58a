import { test } from "../helpers/test.js";
import { killAgents } from "./kills.js";

test("agents killed at random moments lose no end that the kubelet showed to one of them", async (t) => {
  await killAgents(t, { containers: 10, rounds: 4 });
});
