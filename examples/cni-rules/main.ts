// npm run example cni-rules: prints the rules that it would add and remove, until SIGTERM or SIGINT.

import { PodsClient } from "kubelet-pods";
import { keepRules, RULES_MASK, type Rule } from "./agent.js";

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stop.abort());
const rules = new Map<string, Rule>();
const keyOf = ({ uid, ip }: Rule) => `${uid} ${ip}`;

await using client = new PodsClient();
const { signal } = stop;
await keepRules(client.informer({ mask: RULES_MASK, signal }), {
  list: () => rules.values(),
  add(rule) {
    if (!rules.has(keyOf(rule))) console.log("add   ", keyOf(rule));
    rules.set(keyOf(rule), rule);
  },
  remove(rule) {
    console.log("remove", keyOf(rule));
    rules.delete(keyOf(rule));
  },
}).catch((error) => {
  if (error !== signal.reason) throw error;
});
