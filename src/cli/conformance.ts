import { type ConformanceOptions, type ConformanceReport, checkConformance } from "../conformance/conformance.js";
import { printable } from "../printable.js";
import { type Command, EXIT, numberOf, textOf, wantsJson } from "./command.js";

const HELP = `Usage: kubelet-pods conformance [options]

Checks a running kubelet against the contract of the Pods API: the version it
serves, whether lists, GetPod and watches agree, the order of the first events,
and errors. It sends fewer than 40 requests, at half of the rate that the
kubelet allows, and changes nothing.

  --socket PATH   path of the kubelet's socket (default:
                  $KUBELET_PODS_SOCKET, or below /var/lib/kubelet)
  --observe S     how long to observe a watch, in seconds (default: 1)
  -o json         print one JSON object instead of the table (also --json)
  -h, --help      print this help

Exit codes: 0 if no check fails, 1 if one fails, 2 for wrong arguments, 3 if the
kubelet cannot be reached or is not ready.`;

const WORDS = { ok: "ok", note: "note", fail: "FAIL", skip: "skip" };

export const command: Command = {
  help: HELP,
  options: {
    socket: { type: "string" },
    observe: { type: "string" },
    json: { type: "boolean" },
    output: { type: "string", short: "o" },
  },
  async run(values, console) {
    const isJson = wantsJson(values);
    const seconds = numberOf(values, "observe", { max: 3_600 });
    const options: ConformanceOptions = {
      socketPath: textOf(values, "socket"),
      observeMs: seconds === undefined ? undefined : seconds * 1000,
    };
    const report = await checkConformance(options, console.environment.clock);
    if (isJson) console.out(JSON.stringify(toJson(report), null, 2));
    else if (report.error === undefined) for (const line of tableOf(report)) console.out(line);
    if (report.error !== undefined) {
      if (!isJson) console.err(`kubelet-pods conformance: ${report.error.message}`);
      return EXIT.unreachable;
    }
    return report.counts.fail > 0 ? EXIT.failed : EXIT.ok;
  },
};

function tableOf({ socketPath, checks, counts, requests, tookMs }: ConformanceReport): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const found = Object.entries(counts).filter(([, n]) => n > 0);
  return [
    printable(socketPath),
    ...checks.map(({ name, outcome, detail }) => `  ${WORDS[outcome].padEnd(5)} ${name.padEnd(width)}  ${detail}`),
    `${found.map(([outcome, n]) => `${n} ${outcome}`).join(", ")}; ${requests} requests in ${tookMs} ms`,
  ];
}

function toJson({ error, ...report }: ConformanceReport): object {
  return { ...report, error: error && { code: error.code, message: error.rawMessage, hint: error.hint } };
}
