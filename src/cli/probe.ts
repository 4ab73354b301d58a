import { printable } from "../printable.js";
import { type Command, EXIT, wantsJson } from "./command.js";
import { NODE_HELP, NODE_OPTIONS, onNode } from "./node.js";
import { jsonText } from "./text.js";

const HELP = `Usage: kubelet-pods probe [options]

Checks whether a kubelet answers on its socket. If not, it prints the reason and
what to do. It sends one request and does not wait. With --kubelet-version 1.36
it waits until the kubelet has read its pods, which takes at least two seconds.

  -o, --output json     print one JSON object (also --json)
${NODE_HELP} (default: 10s)
  -h, --help            print this help

Exit codes: 0 if a kubelet answers and is ready, 3 if not, 2 for wrong
arguments.`;

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
        console.err(`kubelet-pods probe: ${printable(`${found.code}: ${found.message}`, 1_000)}`);
        if (found.hint !== "") console.err(`hint: ${found.hint}`);
      }
      return found.ready ? EXIT.ok : EXIT.unreachable;
    });
  },
};
