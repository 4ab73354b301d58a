import { readFileSync, statSync } from "node:fs";
import { podsApi } from "../client.js";
import type { InformerOptions } from "../options.js";
import { unionOf } from "../pod/mask.js";
import { printable } from "../printable.js";
import { checkDoor, type Door } from "../relay/door.js";
import { serveRelay } from "../relay/relay.js";
import { kubeletHttp } from "../sources/kubelet-http/http-source.js";
import { type Command, EXIT, numberOf, textOf, UsageError, type Values } from "./command.js";
import { parseDuration } from "./duration.js";
import { clientOf } from "./node.js";
import { aborted, failing, LISTEN_OPTIONS, listenOf, modeOf } from "./pipe.js";

const HELP = `Usage: kubelet-pods relay --listen PATH [options]
       kubelet-pods relay --config FILE [options]

Shows the pods of this node on Unix sockets to readers that are not root: by
gRPC with the kubelet's own contract, or by HTTP with JSON. Beside a pipe
(kubelet-pods pipe) it needs no privileges. Experimental.

  --listen PATH          where to listen
  --http                 speak HTTP with JSON there; without it gRPC
  --group GROUP          who may connect: a number, or a name in /etc/group
  --mode MODE            the permissions of the socket; 0660 without it
  --mask PATHS           the fields that are shown; without it identity, labels,
                         owners, node, images, resources and status
  -n, --namespaces NAMES
                         the namespaces that are shown; without it all
  --max-connections N    more are closed at once; 64 without it
  --config FILE          several doors, as JSON: { "doors": [{ "path", "serve",
                         "group", "mode", "mask", "namespaces", ... }] }
  --socket PATH          the pipe's socket, or the kubelet's
  --kubelet-url URL      the kubelet's HTTP server, where there is no socket;
                         --kubelet-token-file and --kubelet-ca-file go with it
  --standalone           there is no API server: a list without its pods is all
  --retain DURATION      answer for what has gone since then; 2m without it
  --journal DIRECTORY    write how containers and pods end, for /ended
  --cgroups              answer for numbers of cgroups, by the node's files
  -h, --help

Exit codes: 0 after SIGINT or SIGTERM, 1 where it cannot listen or the kubelet
does not let it ask, 2 for options that it does not take.`;

export const command: Command = {
  help: HELP,
  options: {
    ...LISTEN_OPTIONS,
    http: { type: "boolean" },
    mask: { type: "string" },
    namespaces: { type: "string", short: "n" },
    config: { type: "string" },
    socket: { type: "string" },
    "kubelet-url": { type: "string" },
    "kubelet-token-file": { type: "string" },
    "kubelet-ca-file": { type: "string" },
    standalone: { type: "boolean" },
    retain: { type: "string" },
    journal: { type: "string" },
    cgroups: { type: "boolean" },
  },
  async run(values, console) {
    const doors = doorsOf(values);
    const retain = textOf(values, "retain");
    const retainMs = retain === undefined ? RETAIN_MS : parseDuration("retain", retain);
    const directory = textOf(values, "journal");
    const ended = console.ended();
    return failing("relay", console, async () => {
      const masks = doors.map((door) => checkDoor(door).shown.mask);
      const options: InformerOptions = {
        includeFinished: true,
        retainMs,
        mask: unionOf(masks),
        ...(directory !== undefined && { journal: { directory } }),
        ...(values["cgroups"] === true && { cgroups: {} }),
      };
      await using pods = clientOf(values, { ...console, sources: sourcesOf(values) ?? console.sources }, undefined);
      const informer = pods.informer(options);
      await using relay = await serveRelay(informer, doors, console.environment.clock);
      for (const { path, serve, namespaces } of doors) {
        const scope = namespaces === undefined ? "all namespaces" : namespaces.join(", ");
        console.out(`door: ${printable(path)}, ${serve}, ${printable(scope)}`);
      }
      await Promise.race([aborted(ended), relay.closed]);
      const { error } = informer.state;
      if (!ended.aborted && error !== undefined) throw error;
      return EXIT.ok;
    });
  },
};

const RETAIN_MS = 120_000;

/** Larger than any configuration of 64 doors. */
const MAX_CONFIG_BYTES = 1024 * 1024;

function sourcesOf(values: Values) {
  const url = textOf(values, "kubelet-url");
  const [tokenFile, caFile] = [textOf(values, "kubelet-token-file"), textOf(values, "kubelet-ca-file")];
  if (url === undefined) {
    if (tokenFile !== undefined || caFile !== undefined)
      throw new UsageError("--kubelet-url: it is expected beside its files");
    return undefined;
  }
  const http = kubeletHttp({ url, tokenFile, caFile });
  const socketPath = textOf(values, "socket");
  return socketPath === undefined ? [http] : [podsApi({ socketPath }), http];
}

/** @throws UsageError */
function doorsOf(values: Values): Door[] {
  const file = textOf(values, "config");
  if (file !== undefined) {
    const other = ["listen", "http", "group", "mode", "mask", "namespaces", "max-connections"].find(
      (name) => values[name] !== undefined,
    );
    if (other !== undefined) throw new UsageError(`--${other}: with --config each door says it itself`);
    return doorsIn(file);
  }
  const [mask, namespaces] = [textOf(values, "mask")?.split(","), textOf(values, "namespaces")?.split(",")];
  const serve = values["http"] === true ? "http" : "grpc";
  const mode = modeOf("--mode", textOf(values, "mode"));
  const maxConnections = numberOf(values, "max-connections", { min: 1, max: 10_000 });
  return [{ path: listenOf(values), serve, group: textOf(values, "group"), mode, mask, namespaces, maxConnections }];
}

function doorsIn(file: string): Door[] {
  const { doors } = jsonIn(file) as { doors?: unknown };
  if (!Array.isArray(doors)) throw new UsageError(`--config: ${printable(file, 200)} has no list of doors`);
  return doors.map((door, i) => {
    if (typeof door !== "object" || door === null) throw new UsageError(`--config: doors[${i}] is no object`);
    const { mode } = door;
    if (mode !== undefined && typeof mode !== "string")
      throw new UsageError(`--config: doors[${i}].mode: a text as "0660" is expected`);
    return { ...door, mode: modeOf(`--config: doors[${i}].mode`, mode) };
  });
}

function jsonIn(file: string): object {
  const shown = printable(file, 200);
  try {
    const { size } = statSync(file);
    if (size > MAX_CONFIG_BYTES) throw new UsageError(`--config: ${shown} is larger than ${MAX_CONFIG_BYTES} bytes`);
    return Object(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why =
      error instanceof SyntaxError ? "is no JSON" : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw new UsageError(`--config: ${shown} ${why}`);
  }
}
