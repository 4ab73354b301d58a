// The relay as examples/deploy/relay has it, as pods of a node: an image of what `npm run build` has made, and the manifests with the node's own
// paths in the place of those of other nodes.

import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { type PodInformer, PodsClient } from "../../src/index.js";
import { root } from "../helpers/programs.js";
import type { LiveNode } from "./live-node.js";
import { FINAL, type Truth } from "./truth.js";

const exec = promisify(execFile);

const IMAGE = "localhost/kubelet-pods:1";

/** Puts a program there, with the libraries that it is linked to. */
async function putProgram(tree: string, program: string, to: string): Promise<void> {
  const { stdout } = await exec("ldd", [program]);
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  for (const [from, name] of [[program, to], ...libraries.map((path) => [path, path])] as [string, string][]) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    copyFileSync(from, join(tree, name));
    chmodSync(join(tree, name), 0o755);
  }
}

/** Gives the node an image with Node.js, the package as it is built, and `install`, which the first container of the pod calls. */
async function putImage(node: LiveNode): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), "relay-image-"));
  try {
    await putProgram(tree, process.execPath, "/usr/bin/node");
    await putProgram(tree, "/usr/bin/install", "/usr/bin/install");
    const app = join(tree, "app");
    for (const part of ["dist", "package.json", "node_modules/@bufbuild/protobuf", "node_modules/@connectrpc"])
      cpSync(join(root, part), join(app, part), { recursive: true });
    await node.drive("image", tree, "/usr/bin/node /app/dist/cli/main.js", IMAGE);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** The host directory of doors and pipe; /run of a node may be its own. */
function hostDirectory(node: LiveNode): string {
  return join(node.facts.sharedDir, "kubelet-pods");
}

function manifest(node: LiveNode, file: string): string {
  return readFileSync(join(root, "examples/deploy/relay", file), "utf8")
    .replaceAll("registry.example.com/kubelet-pods:0.3.0", IMAGE)
    .replaceAll(
      "path: /var/lib/kubelet/pods-api",
      `path: ${node.facts.rootDir.replace(/^\/proc\/\d+\/root/, "")}/pods-api`,
    )
    .replaceAll(/path: \/run\/kubelet-pods/g, `path: ${hostDirectory(node)}`);
}

/** Runs pipe and relay as pods, and a reader that is another; resolves when the reader is served. */
export async function applyRelay(node: LiveNode): Promise<void> {
  await putImage(node);
  await node.apply(manifest(node, "daemonset.yaml"));
  await node.kubectl("-n", "kubelet-pods", "rollout", "status", "daemonset/relay", "--timeout=120s");
  await node.apply(manifest(node, "reader.yaml"));
  await node.kubectl("-n", "kubelet-pods", "wait", "pod/reader", "--for=condition=Ready", "--timeout=60s");
}

/** Kills a container of the relay's pod, as one that crashes. */
export async function killContainer(node: LiveNode, name: string): Promise<void> {
  const path = `{.items[*].status.containerStatuses[?(@.name=="${name}")].containerID}`;
  const ids = await node.kubectl("-n", "kubelet-pods", "get", "pods", "-l", RELAY_LABEL, "-o", `jsonpath=${path}`);
  for (const id of ids.split(/\s+/))
    if (id !== "") await node.drive("runtime", "task", "kill", "-s", "SIGKILL", id.replace(/^.*:\/\//, ""));
}

/** Puts a younger relay beside each that runs, which ends when the younger one is there. */
export async function rollOut(node: LiveNode): Promise<void> {
  await node.kubectl("-n", "kubelet-pods", "rollout", "restart", "daemonset/relay");
  await node.kubectl("-n", "kubelet-pods", "rollout", "status", "daemonset/relay", "--timeout=120s");
}

const RELAY_LABEL = "app.kubernetes.io/name=kubelet-pods-relay";

/** What readers that are not of the node are told through the doors, of one by gRPC and one by HTTP. */
export class DoorReaders {
  readonly client: PodsClient;
  readonly informer: PodInformer<{ readonly metadata: { readonly uid: string } }>;
  readonly #directory: string;
  readonly #deleted: { readonly uid: string; readonly atMs: number }[] = [];
  readonly #read: Promise<void>;
  /** Why the informer ended by itself. */
  #error: unknown;

  constructor(node: LiveNode) {
    this.#directory = join(hostDirectory(node), "doors");
    this.client = new PodsClient({ socketPath: join(this.#directory, "pods.sock") });
    const informer = this.client.informer({
      mask: ["metadata.uid", "metadata.namespace", "metadata.name", "status.containerStatuses"],
    });
    this.informer = informer;
    this.#read = (async () => {
      for await (const event of informer)
        if (event.type === "DELETED") this.#deleted.push({ uid: event.pod.metadata.uid, atMs: Date.now() });
    })().catch((error) => {
      this.#error = error;
    });
  }

  /** Asks a door that speaks HTTP; rejects where it is not there, or says that it cannot answer. */
  async ask(path: string): Promise<unknown> {
    const socket = join(this.#directory, "http.sock");
    const { stdout } = await exec("curl", [
      "-sS",
      "--fail",
      "--max-time",
      "5",
      "--unix-socket",
      socket,
      `http://door${path}`,
    ]);
    return JSON.parse(stdout);
  }

  /** Rejects, with what differs, unless both readers have exactly the pods that the kubelet lists and that have not ended. */
  async agree(listed: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const living = new Set<string>();
    const names = new Map<string, string>();
    for (const [uid, bytes] of listed) {
      const { metadata, status } = fromBinary(PodSchema, bytes);
      names.set(uid, `${metadata?.namespace}/${metadata?.name} ${uid}`);
      if (!FINAL.includes(status?.phase ?? "")) living.add(uid);
    }
    const { pods } = (await this.ask("/v1alpha1/pods")) as {
      pods: { metadata: { uid: string }; status?: { phase?: string } }[];
    };
    const shown = pods.filter(({ status }) => !FINAL.includes(status?.phase ?? "")).map(({ metadata }) => metadata.uid);
    const known = this.informer.list().map(({ metadata }) => metadata.uid);
    const { phase } = this.informer.state;
    const wrong = Object.entries({ "by HTTP": new Set(shown), "by gRPC": new Set(known) }).flatMap(([how, told]) => [
      ...[...living].filter((uid) => !told.has(uid)).map((uid) => `${how} lacks ${names.get(uid)}`),
      ...[...told].filter((uid) => !living.has(uid)).map((uid) => `${how} has ${names.get(uid) ?? uid}`),
    ]);
    if (phase !== "synced" || wrong.length > 0) throw new Error(`the informer is ${phase}; ${wrong.join("; ")}`);
  }

  /** Ends the readers, and returns what they were told wrongly: that a pod is gone of which a container ran. */
  async close(truth: Truth): Promise<{ problems: string[]; deleted: number }> {
    const problems = this.#error === undefined ? [] : [`an informer at a door ended: ${this.#error}`];
    await this.client.close();
    await this.#read;
    for (const { uid, atMs } of this.#deleted) {
      const running = truth.running(uid, atMs).filter(({ kind, isLost }) => kind === "container" && isLost !== true);
      for (const { pod } of running.slice(0, 1)) problems.push(`${pod} was told as gone at a door, and it runs`);
    }
    return { problems, deleted: this.#deleted.length };
  }
}
