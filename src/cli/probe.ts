import { printable } from "../printable.js";
import { type Command, EXIT, wantsJson } from "./command.js";
import { NODE_HELP, NODE_OPTIONS, onNode } from "./node.js";
import { withoutHint } from "./notice.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods probe [options]

Says whether a kubelet answers on its socket, or what is in the way and what to
do about it. It asks once and waits for nobody.

  -o, --output json     one JSON object; --json is the same
${NODE_HELP}; without it 10s
  -h, --help

Exit codes: 0 where a kubelet answers and is ready, 3 where not, 2 for options
that it does not take.`;

export const command: Command = {
  help: HELP,
  options: { ...NODE_OPTIONS, output: { type: "string", short: "o" }, json: { type: "boolean" } },
  run(values, console) {
    const isJson = wantsJson(values);
    return onNode("probe", values, console, async (pods, notice) => {
      const found = await pods.probe();
      notice.stop();
      const socketPath = printable(found.socketPath);
      const latencyMs = Math.round(found.latencyMs);
      if (isJson) console.out(jsonText({ ...found, latencyMs }));
      else if (found.ready) console.out(`ready: ${found.apiVersion} on ${socketPath}, answered in ${latencyMs} ms`);
      else {
        console.err(`kubelet-pods probe: ${withoutHint(found)}`);
        if (found.hint !== "") console.err(`hint: ${found.hint}`);
      }
      return found.ready ? EXIT.ok : EXIT.unreachable;
    });
  },
};
