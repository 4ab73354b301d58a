import { parseArgs } from "node:util";
import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { closest } from "../suggestion.js";
import { VERSION } from "../version.js";
import { type Command, type Console, EXIT, type Options, UsageError, type Values } from "./command.js";

interface Subcommand {
  summary: string;
  load(): Promise<Command>;
}

/** Loaded when they are called, so that `--help` does not wait for the gRPC stack. */
const COMMANDS: Readonly<Record<string, Subcommand>> = {
  get: {
    summary: "list or watch the pods on this node",
    load: async () => (await import("./get.js")).command,
  },
  containers: {
    summary: "list containers, or watch them start and end",
    load: async () => (await import("./containers.js")).command,
  },
  find: {
    summary: "find the pod of an address, container, process or path",
    load: async () => (await import("./find.js")).command,
  },
  ended: {
    summary: "print why containers and pods ended, from an agent's journal",
    load: async () => (await import("./ended.js")).command,
  },
  wait: {
    summary: "wait until pods have a condition or are deleted",
    load: async () => (await import("./wait.js")).command,
  },
  probe: {
    summary: "check whether a kubelet answers, and if not, why",
    load: async () => (await import("./probe.js")).command,
  },
  conformance: {
    summary: "check a kubelet against the contract of the Pods API",
    load: async () => (await import("./conformance.js")).command,
  },
  record: {
    summary: "record a kubelet to a file, for serve --replay",
    load: async () => (await import("./record.js")).command,
  },
  serve: {
    summary: "start a fake kubelet with sample pods or your own",
    load: async () => (await import("./serve.js")).command,
  },
};

/** Advice for users who type a command of crictl, or `list`. */
const OF_CRICTL: Readonly<Record<string, string>> = {
  list: "use kubelet-pods get",
  ps: "use kubelet-pods containers",
  pods: "use kubelet-pods get",
  inspect: "use kubelet-pods find CONTAINER_ID -o json",
  inspectp: "use kubelet-pods get NAME -o yaml",
  logs: "use crictl logs or kubectl logs",
  exec: "use crictl exec or kubectl exec",
  images: "use crictl images",
  stats: "use crictl stats",
};

const HELP = `kubelet-pods ${VERSION}: the pods on this node, from the kubelet

Usage: kubelet-pods COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`)
  .join("\n")}

Run kubelet-pods COMMAND --help for the options of a command, and
kubelet-pods version for the version.`;

/** Runs a command line, without the program's name; returns the exit code. */
export async function run(argv: readonly string[], console: Console): Promise<number> {
  const [name = "", ...args] = argv;
  if (name === "help" && args[0] !== undefined) return run([args[0], "--help"], console);
  if (name === "" || name === "--help" || name === "-h" || name === "help") {
    const print = name === "" ? console.err : console.out;
    print(HELP);
    return name === "" ? EXIT.usage : EXIT.ok;
  }
  if (name === "--version" || name === "version") {
    console.out(VERSION);
    return EXIT.ok;
  }
  if (name.startsWith("-")) {
    console.err(`kubelet-pods: options follow the command: kubelet-pods COMMAND ${printable(name, 50)} ...`);
    return EXIT.usage;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const known = Object.hasOwn(OF_CRICTL, name) ? OF_CRICTL[name] : undefined;
    const suggestion = nearest(name, Object.keys(COMMANDS));
    const near =
      suggestion === undefined ? `commands: ${Object.keys(COMMANDS).join(", ")}` : `did you mean ${suggestion}?`;
    console.err(`kubelet-pods: unknown command ${printable(name, 50)}; ${known ?? near}`);
    return EXIT.usage;
  }
  try {
    const command = await entry.load();
    const { values, names } = parsed(command, args);
    if (values["help"] === true) {
      console.out(command.help);
      return EXIT.ok;
    }
    return await command.run(values, console, names);
  } catch (error) {
    const usage = error instanceof UsageError;
    if (!usage && !PodsError.is(error)) throw error;
    console.err(`kubelet-pods ${name}: ${error.message}`);
    if (usage) console.err(`Run kubelet-pods ${name} --help for its options.`);
    return usage ? EXIT.usage : EXIT.failed;
  }
}

/** Rewrites kubectl's forms that `parseArgs` does not take: `-o=json`, `--watch=true`; undefined for `--watch=false`. */
function asParsed(arg: string, options: Options): string | undefined {
  const [, short, long, value] = /^(?:-(\w)|--([\w-]+))=(.*)$/s.exec(arg) ?? [];
  const name = long ?? Object.keys(options).find((key) => short !== undefined && options[key]?.short === short);
  if (name === undefined || !Object.hasOwn(options, name)) return arg;
  if (options[name]?.type !== "boolean") return `--${name}=${value}`;
  if (value === "false") return undefined;
  return value === "true" ? `--${name}` : arg;
}

/** Returns our own message for an error of `parseArgs`. */
function usageMessageOf(error: unknown, options: readonly string[]): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const [, option = ""] = /'(?:-\w, )?(-[^' ]*)/.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const suggestion = nearest(option.replace(/^-+/, ""), options);
    return `unknown option ${option}${suggestion === undefined ? "" : `; did you mean --${suggestion}?`}`;
  }
  // A value that begins with a hyphen could also be another option.
  if (/ambiguous/.test(message)) return `${option} needs a value; write a value that begins with - as ${option}=-...`;
  if (/argument missing/.test(message)) return `${option} needs a value`;
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") return message.replace(/\. .*$/s, "");
  return /^[^\n]*?(?=\. |\.?\n|\.?$)/.exec(message)?.[0] ?? message;
}

/** Returns the nearest of some words; undefined if none is close. */
function nearest(word: string, words: readonly string[]): string | undefined {
  return word.length < 3 ? undefined : closest(word, words)[0];
}

function parsed({ options, takesNames = false }: Command, given: readonly string[]) {
  const all = { ...options, help: { type: "boolean", short: "h" } } as const;
  const args = given.map((arg) => asParsed(arg, all)).filter((arg) => arg !== undefined);
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: all,
      strict: true,
      allowPositionals: takesNames,
    });
    return { values: values as Values, names: positionals };
  } catch (error) {
    throw new UsageError(printable(usageMessageOf(error, Object.keys(all)), 200));
  }
}
