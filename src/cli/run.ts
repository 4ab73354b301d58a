import { parseArgs } from "node:util";
import { PodsError } from "../errors/pods-error.js";
import { closest } from "../meant.js";
import { printable } from "../printable.js";
import { VERSION } from "../version.js";
import { type Command, type Console, EXIT, type Options, UsageError, type Values } from "./command.js";

interface Subcommand {
  summary: string;
  load(): Promise<Command>;
}

/** Loaded when they are called, so that `--help` does not wait for the gRPC stack. */
const COMMANDS: Readonly<Record<string, Subcommand>> = {
  get: {
    summary: "show the pods of this node, or watch them",
    load: async () => (await import("./get.js")).command,
  },
  containers: {
    summary: "show the containers of these pods, or each of their lives",
    load: async () => (await import("./containers.js")).command,
  },
  find: {
    summary: "say which pod an address, a container or a process belongs to",
    load: async () => (await import("./find.js")).command,
  },
  wait: {
    summary: "wait until pods have a condition, or are gone",
    load: async () => (await import("./wait.js")).command,
  },
  probe: {
    summary: "say whether a kubelet answers, or what is in the way",
    load: async () => (await import("./probe.js")).command,
  },
  conformance: {
    summary: "check what a live kubelet serves against the contract",
    load: async () => (await import("./conformance.js")).command,
  },
  record: {
    summary: "write what a kubelet says, for `serve --replay` to say it again",
    load: async () => (await import("./record.js")).command,
  },
  serve: {
    summary: "serve the Pods API from a file of pods, as a kubelet does",
    load: async () => (await import("./serve.js")).command,
  },
};

const HELP = `kubelet-pods ${VERSION}: the pods on this node, straight from the kubelet

Usage: kubelet-pods COMMAND [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`)
  .join("\n")}

kubelet-pods COMMAND --help says what a command takes; kubelet-pods version
which release this is.`;

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
    console.err(`kubelet-pods: options come after the command: kubelet-pods COMMAND ${printable(name, 50)} ...`);
    return EXIT.usage;
  }
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, Object.keys(COMMANDS));
    const hint = meant === undefined ? `; there are ${Object.keys(COMMANDS).join(", ")}` : `; did you mean ${meant}?`;
    console.err(`kubelet-pods: there is no command ${printable(name, 50)}${hint}`);
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
    if (usage) console.err(`kubelet-pods ${name} --help says what it takes`);
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
function wordsOf(error: unknown, options: readonly string[]): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const [, option = ""] = /'(?:-\w, )?(-[^' ]*)/.exec(message) ?? [];
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const meant = nearest(option.replace(/^-+/, ""), options);
    return `there is no option ${option}${meant === undefined ? "" : `; did you mean --${meant}?`}`;
  }
  // A value that begins with a hyphen could also be another option.
  if (/ambiguous/.test(message))
    return `${option}: a value is expected; one that begins with - is written ${option}=-...`;
  if (/argument missing/.test(message)) return `${option}: a value is expected`;
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
    throw new UsageError(printable(wordsOf(error, Object.keys(all)), 200));
  }
}
