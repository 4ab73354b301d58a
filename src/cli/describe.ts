import { PodsError } from "../errors/pods-error.js";
import type { Pod } from "../gen/pod-types.js";
import { toKubernetesJson } from "../pod/to-json.js";
import { printable } from "../printable.js";
import { type Command, EXIT, UsageError } from "./command.js";
import { describePod } from "./describe/describe-pod.js";
import { linesOf } from "./describe/fact.js";
import { NamedPods, sayMissing } from "./named-pods.js";
import { NODE_HELP, NODE_OPTIONS, onNode, SELECTION_HELP, SELECTION_OPTIONS, selectionOf } from "./node.js";

const HELP = `Usage: kubelet-pods describe [NAME|UID|NAMESPACE/NAME ...] [options]

Shows all there is to know of pods, as kubectl describe does: containers with
their states and last states, conditions, volumes, class. It adds the UID, and
since when and why conditions are as they are. The node knows no events, and
constraints for the scheduler are left out.

${SELECTION_HELP}
${NODE_HELP}; without it 10s
  -h, --help

Exit codes: 0, 1 where there is no such pod, 2 for options that it does not
take, 3 where the kubelet cannot be reached or is not ready.`;

export const command: Command = {
  help: HELP,
  takesNames: true,
  options: { ...NODE_OPTIONS, ...SELECTION_OPTIONS },
  run(values, console, words) {
    const selection = selectionOf(values);
    const isSelected = Object.values(selection).some((value) => value !== undefined);
    if (words.length === 0 && !isSelected && values["all-namespaces"] !== true) {
      throw new UsageError("which pods? give names, -n, -l, or -A for all");
    }
    return onNode("describe", values, console, async (pods, notice) => {
      const names = new NamedPods<Pod>(words, ({ metadata }) => metadata);
      const found = names.among(await pods.listPods(selection));
      notice.stop();
      const nowMs = console.environment.clock.wallMs();
      let failed = false;
      for (const [i, pod] of found.entries()) {
        try {
          const lines = linesOf(describePod(pod, toKubernetesJson(pod), nowMs));
          if (i > 0) console.out("\n");
          for (const line of lines) console.out(line);
        } catch (error) {
          if (!PodsError.is(error)) throw error;
          failed = true;
          const { namespace, name } = pod.metadata;
          console.err(`kubelet-pods describe: ${printable(`${namespace}/${name}`, 300)} is left out: ${error.message}`);
        }
      }
      const code = sayMissing("describe", found, names, { ...selection, console, quiet: false });
      return failed ? EXIT.failed : code;
    });
  },
};
