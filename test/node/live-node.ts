// A node that runs: two sockets, kubectl where there is an API server, and a driver that stops, starts, freezes and swaps its kubelet.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { root } from "../helpers/programs.js";

const exec = promisify(execFile);
const MAX_OUTPUT = 1 << 28;

/** What a driver says of its node. Paths hold on this machine; `sharedDir` is the same in the node. */
interface Facts {
  nodeName: string;
  /** The kubelet's root directory. */
  rootDir: string;
  /** Where containers' logs are. */
  podLogsDir: string;
  /** Files that tests touch and probes in containers look at. */
  sharedDir: string;
  /** Null where the kubelet runs without an API server. */
  kubeconfig: string | null;
  kubectl: string;
  /** Where the CNI plugin host-local keeps a file for each address; null where nobody knows. */
  leasesDir: string | null;
  /** Where the programs are that docs/upstream.md needs. */
  tools?: string;
  /** The kubelet's HTTP server, for who is allowed everything, and what begins a command line that reaches it. */
  http?: { url: string; caFile: string; certFile: string; keyFile: string };
  enter?: string[];
  /** Kubelets that can be started, newest first. */
  versions: string[];
}

/** A kubelet with a cluster around it, or alone with its static pods. */
export type Mode = "cluster" | "standalone";

/** A driver's exit code where it has no node of a mode. */
const NOT_OFFERED = 4;

/** The driver that $NODE_DRIVER names: `local`, `kind`, or a path. */
function driverPath(): string {
  const name = process.env["NODE_DRIVER"] ?? "local";
  return name.includes("/")
    ? isAbsolute(name)
      ? name
      : join(process.cwd(), name)
    : join(root, "test/node", name, "driver");
}

export class LiveNode {
  readonly facts: Facts;
  readonly mode: Mode;
  /** The version that runs, or ran last. */
  version = "";
  readonly #env: NodeJS.ProcessEnv;

  private constructor(mode: Mode, facts: Facts, env: NodeJS.ProcessEnv) {
    this.#env = env;
    this.mode = mode;
    this.facts = facts;
  }

  /**
   * Builds what is missing, and starts everything but the kubelet. Resolves with undefined where the driver has no node of this mode,
   * rejects where the machine lacks something, which the driver has printed. Nodes of different names share nothing but binaries.
   */
  static async up(mode: Mode, name: string): Promise<LiveNode | undefined> {
    const env = { ...process.env, NODE_NAME: name };
    const child = spawn(driverPath(), ["up", mode], { env, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code === NOT_OFFERED) return undefined;
    if (code !== 0) throw new Error(`${driverPath()} up ${mode}: exit code ${code}`);
    const { stdout } = await exec(driverPath(), ["facts"], { env });
    return new LiveNode(mode, JSON.parse(stdout) as Facts, env);
  }

  /** Returns the releases that the driver has, newest first. */
  static async versions(): Promise<string[]> {
    return (await exec(driverPath(), ["versions"])).stdout.trim().split(/\s+/);
  }

  /** Ends everything, and rejects where anything is left. */
  async down(): Promise<void> {
    await this.drive("down");
    await this.drive("left").catch((error) => {
      throw new Error(`${this.facts.nodeName} has left:\n${error.stdout}`);
    });
  }

  get socketPath(): string {
    return join(this.facts.rootDir, "pods-api/pods-api.sock");
  }

  get podResourcesSocketPath(): string {
    return join(this.facts.rootDir, "pod-resources/kubelet.sock");
  }

  /** Runs one of the driver's verbs, and returns what it prints. */
  async drive(...args: string[]): Promise<string> {
    return (await exec(driverPath(), args, { env: this.#env, maxBuffer: MAX_OUTPUT })).stdout;
  }

  /** Starts a kubelet; `options` are `gate=off`, `eviction=QUANTITY`, and `managers=static`, where the driver has it. */
  async start(version: string, ...options: string[]): Promise<void> {
    this.version = version;
    await this.drive("start", version, ...options);
  }

  async stop(signal: "TERM" | "KILL" = "TERM"): Promise<void> {
    await this.drive("stop", signal);
  }

  async kubectl(...args: string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: this.facts.kubeconfig ?? "" };
    return (await exec(this.facts.kubectl, args, { env, maxBuffer: MAX_OUTPUT })).stdout;
  }

  /** Starts kubectl, whose output is read as it comes. */
  kubectlStream(...args: string[]) {
    const env = { ...process.env, KUBECONFIG: this.facts.kubeconfig ?? "" };
    return spawn(this.facts.kubectl, args, { env, stdio: ["ignore", "pipe", "ignore"] });
  }

  async apply(yaml: string): Promise<void> {
    const env = { ...process.env, KUBECONFIG: this.facts.kubeconfig ?? "" };
    await piped(spawn(this.facts.kubectl, ["apply", "-f", "-"], { env, stdio: ["pipe", "ignore", "inherit"] }), yaml);
  }

  /** Posts an object to a path of the API server. */
  async create(path: string, json: string): Promise<void> {
    const env = { ...process.env, KUBECONFIG: this.facts.kubeconfig ?? "" };
    const args = ["create", "--raw", path, "-f", "-"];
    await piped(spawn(this.facts.kubectl, args, { env, stdio: ["pipe", "ignore", "inherit"] }), json);
  }

  /** Writes a static pod's manifest, in the place of one of this name. */
  async putManifest(name: string, yaml: string): Promise<void> {
    await piped(
      spawn(driverPath(), ["manifest", "put", name], { env: this.#env, stdio: ["pipe", "ignore", "inherit"] }),
      yaml,
    );
  }

  async removeManifest(name: string): Promise<void> {
    await this.drive("manifest", "remove", name);
  }

  /** Starts the runtime's own client, as `ctr -n k8s.io`. */
  runtime(...args: string[]) {
    return spawn(driverPath(), ["runtime", ...args], {
      env: this.#env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
  }

  async runtimeOutput(...args: string[]): Promise<string> {
    return this.drive("runtime", ...args);
  }
}

/** Returns the name of one of the suite's nodes; $NODE_NAME sets apart those of two runs at once. */
export function nodeName(of: string): string {
  return `${process.env["NODE_NAME"] ?? "node"}-${of}`;
}

async function piped(child: ReturnType<typeof spawn>, input: string): Promise<void> {
  child.stdin?.end(input);
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")}: exit code ${code}`);
}
