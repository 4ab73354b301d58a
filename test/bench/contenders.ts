// Who is measured, each as a process of its own.

import { join } from "node:path";
import { noGo, program } from "../interop/go-kubelet.js";
import type { Served } from "./firehose.js";
import type { Packages } from "./part.js";
import { Process } from "./processes.js";

export interface Contender {
  name: string;
  /** A file of clients/; none for the client in Go. */
  module?: string;
  mask?: readonly string[];
  decoder?: "protobuf-es" | "protobufjs";
}

/** Fields that every kind of agent reads. */
const FIVE_FIELDS = ["metadata.uid", "metadata.name", "metadata.labels", "status.phase", "status.podIPs"];

/** The limit: what the bytes cost that nobody reads. */
export const RAW: Contender = { name: "raw http2", module: "raw-http2" };
export const OURS: Contender = { name: "kubelet-pods", module: "kubelet-pods" };
export const OURS_MASKED: Contender = { ...OURS, name: "kubelet-pods, five fields", mask: FIVE_FIELDS };
export const CONNECT: Contender = { name: "connect, bytes only", module: "connect" };
export const CONNECT_DECODING: Contender = { ...CONNECT, name: "connect, protobuf-es", decoder: "protobuf-es" };
const CONNECT_PROTOBUFJS: Contender = { ...CONNECT, name: "connect, protobufjs", decoder: "protobufjs" };
export const GRPC_JS: Contender = { name: "grpc-js, proto-loader", module: "grpc-js" };
export const NICE_GRPC: Contender = { name: "nice-grpc, ts-proto", module: "nice-grpc" };
export const CLIENT_NODE: Contender = { name: "client-node, over HTTP", module: "client-node" };
export const GO: Contender = { name: "Go: grpc-go, k8s.io/api" };

export const ALL: readonly Contender[] = [
  RAW,
  OURS,
  OURS_MASKED,
  CONNECT,
  CONNECT_DECODING,
  CONNECT_PROTOBUFJS,
  GRPC_JS,
  NICE_GRPC,
  CLIENT_NODE,
  ...(noGo === false ? [GO] : []),
];

/** Those that differ in how they come back. */
export const RECONNECTING: readonly Contender[] = ALL.filter(
  ({ name }) => name !== CONNECT_DECODING.name && name !== CONNECT_PROTOBUFJS.name && name !== OURS_MASKED.name,
);

/** A process of it on that node. It finds there what is installed for it. */
export function start(
  contender: Contender,
  socketPath: string,
  { url }: Served,
  { clientNode, niceGrpc }: Packages,
): Process {
  if (contender.module === undefined) return Process.spawn(program("1.37", "bench"), ["-socket", socketPath]);
  const packages = contender.module === NICE_GRPC.module ? niceGrpc : clientNode;
  const how = JSON.stringify({ ...contender, socketPath, url, packages });
  return Process.spawn(process.execPath, ["--expose-gc", join(import.meta.dirname, "client.mjs"), how]);
}

export interface Calls {
  cpuUs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Synced {
  syncedMs: number;
  /** Of the event loop; only of clients in Node.js. */
  longestBlockMs?: number;
}

export interface Events {
  events: number;
  cpuUs: number;
  /** From the change to its event, p50 and p99; only where changes tell when they were made. */
  lateMs?: [number, number];
}

export interface Memory {
  rss: number;
  heap: number;
}
