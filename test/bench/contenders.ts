// The clients that are compared.

import { join } from "node:path";
import { noGo, program } from "../interop/go-kubelet.js";
import type { Served } from "./firehose.js";
import { Process } from "./processes.js";

/** The directories in which the packages of each client are installed, as users install them. */
export interface Packages {
  ours: string;
  /** An earlier version of this package, if `--earlier` is set. */
  earlier: string | undefined;
  connect: string;
  grpcJs: string;
  niceGrpc: string;
  clientNode: string;
}

export interface Contender {
  name: string;
  /** A file of clients/. Undefined for the client in Go. */
  module?: string;
  mask?: readonly string[];
  decoder?: "protobuf-es" | "protobufjs";
  /** The directory in which its packages are installed. */
  packages?: keyof Packages;
}

/** Fields that most agents read. */
const FIVE_FIELDS = ["metadata.uid", "metadata.name", "metadata.labels", "status.phase", "status.podIPs"];

/** The lower limit: it receives the bytes and decodes nothing. */
export const RAW: Contender = { name: "raw http2", module: "raw-http2" };
export const OURS: Contender = { name: "kubelet-pods", module: "kubelet-pods", packages: "ours" };
export const OURS_MASKED: Contender = { ...OURS, name: "kubelet-pods, five fields", mask: FIVE_FIELDS };
export const EARLIER: Contender = { ...OURS, name: "kubelet-pods before", packages: "earlier" };
export const EARLIER_MASKED: Contender = { ...EARLIER, name: "kubelet-pods before, five fields", mask: FIVE_FIELDS };
export const CONNECT: Contender = { name: "connect, bytes only", module: "connect" };
export const CONNECT_DECODING: Contender = { ...CONNECT, name: "connect, protobuf-es", decoder: "protobuf-es" };
const CONNECT_PROTOBUFJS: Contender = { ...CONNECT, name: "connect, protobufjs", decoder: "protobufjs" };
export const GRPC_JS: Contender = { name: "grpc-js, proto-loader", module: "grpc-js" };
export const NICE_GRPC: Contender = { name: "nice-grpc, ts-proto", module: "nice-grpc", packages: "niceGrpc" };
export const CLIENT_NODE: Contender = { name: "client-node, over HTTP", module: "client-node", packages: "clientNode" };
const GO: Contender = { name: "Go: grpc-go, k8s.io/api" };

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

/** The clients that reconnect in different ways. */
export const RECONNECTING: readonly Contender[] = ALL.filter(
  ({ name }) => name !== CONNECT_DECODING.name && name !== CONNECT_PROTOBUFJS.name && name !== OURS_MASKED.name,
);

/** Starts a client in its own process. */
export function start(contender: Contender, socketPath: string, { url }: Served, packages: Packages): Process {
  if (contender.module === undefined) return Process.spawn(program("1.37", "bench"), ["-socket", socketPath]);
  const installed = contender.packages && packages[contender.packages];
  const how = JSON.stringify({ ...contender, socketPath, url, packages: installed });
  return Process.spawn(process.execPath, ["--expose-gc", join(import.meta.dirname, "client.mjs"), how]);
}

export interface Calls {
  cpuUs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Synced {
  syncedMs: number;
  /** Longest block of the event loop. Undefined for the client in Go. */
  longestBlockMs?: number;
}

export interface Events {
  events: number;
  cpuUs: number;
  /** CPU time of the median event. Undefined for the client in Go, and if the order does not ask for it. */
  medianUs?: number;
  /** Delay from a change to its event, p50 and p99. Undefined if the changes had no time. */
  lateMs?: [number, number];
}

export interface Memory {
  rss: number;
  heap: number;
}
