import { PodsError } from "../errors/pods-error.js";
import { printable } from "../printable.js";
import { servePipe } from "../relay/pipe.js";
import {
  type Command,
  type Console,
  EXIT,
  numberOf,
  type Options,
  textOf,
  UsageError,
  type Values,
} from "./command.js";
import { withoutHint } from "./notice.js";

const HELP = `Usage: kubelet-pods pipe --listen PATH [options]

Passes bytes between a socket of its own and the kubelet's, and looks at none of
them: what has to be root in a relay, and nothing more. Experimental.

  --listen PATH          where to listen; its directory is made (0750) where it
                         is not there
  --group GROUP          who may connect: a number, or a name in /etc/group
  --mode MODE            the permissions of the socket; 0660 without it
  --socket PATH          the kubelet's socket; without it $KUBELET_PODS_SOCKET,
                         or the one below the root directory
  --root-dir DIRECTORY   the kubelet's; /var/lib/kubelet without it
  --max-connections N    more are closed at once; 64 without it
  -h, --help

Exit codes: 0 after SIGINT or SIGTERM, 1 where it cannot listen, 2 for options
that it does not take.`;

/** Options of every command that listens. */
export const LISTEN_OPTIONS: Options = {
  listen: { type: "string" },
  group: { type: "string" },
  mode: { type: "string" },
  "max-connections": { type: "string" },
};

export const command: Command = {
  help: HELP,
  options: { ...LISTEN_OPTIONS, socket: { type: "string" }, "root-dir": { type: "string" } },
  async run(values, console) {
    const options = {
      path: listenOf(values),
      group: textOf(values, "group"),
      mode: modeOf("--mode", textOf(values, "mode")),
      socketPath: textOf(values, "socket"),
      rootDir: textOf(values, "root-dir"),
      maxConnections: numberOf(values, "max-connections", { min: 1, max: 10_000 }),
    };
    const ended = console.ended();
    return failing("pipe", console, async () => {
      await using pipe = await servePipe(options, console.environment.clock);
      console.out(`pipe: ${printable(pipe.path)}`);
      await aborted(ended);
      return EXIT.ok;
    });
  },
};

/** @throws UsageError if it is not given. */
export function listenOf(values: Values): string {
  const path = textOf(values, "listen");
  if (path === undefined) throw new UsageError("--listen: the path of a socket is expected");
  return path;
}

/** Reads permissions as `chmod` takes them. @throws UsageError */
export function modeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^0?[0-7]{3}$/.test(text)) throw new UsageError(`${name}: permissions as 0660 are expected`);
  return Number.parseInt(text, 8);
}

/** Resolves when the command is asked to end. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Runs a server. Errors become a line with a hint, and an exit code. */
export async function failing(name: string, console: Console, task: () => Promise<number>): Promise<number> {
  try {
    return await task();
  } catch (error) {
    if (!PodsError.is(error)) throw error;
    console.err(`kubelet-pods ${name}: ${withoutHint(error)}`);
    if (error.hint !== "") console.err(`hint: ${printable(error.hint, 500)}`);
    return error.code === "invalid-argument" ? EXIT.usage : EXIT.failed;
  }
}
