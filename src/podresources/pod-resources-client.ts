import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Caller, type CallOptions } from "../calls/caller.js";
import { factsOf, type PodsErrorCode } from "../errors/error-code.js";
import { amend, invalidArgument, PodsError } from "../errors/pods-error.js";
import { PodResourcesLister } from "../gen/podresources/podresources_pb.js";
import { checkOptions, checkText, resolveTimeoutMs } from "../option-checks.js";
import { CALL_OPTIONS, type ClientOptions, resolveOptions } from "../options.js";
import { MAX_PODS, tooManyPods } from "../pod/limits.js";
import { type Environment, systemEnvironment } from "../timing/clock.js";
import { Budget } from "../timing/deadline.js";
import type { Connection } from "../wire/connection.js";
import type { GrpcRequest } from "../wire/grpc-request.js";
import { HEADERS, KubeletSocket } from "../wire/kubelet-socket.js";
import { splitRepeated } from "../wire/repeated-bytes.js";
import { podResourcesSocket } from "../wire/socket-path.js";
import { sendUnary } from "../wire/unary-call.js";
import { type AllocatableResources, allocatableResources, type PodResources, podResources } from "./pod-resources.js";
import { hasMoreValues, MAX_VALUES } from "./value-bounds.js";

/** The result of {@link PodResourcesClient.probe}: a kubelet that answers, or the error. */
export type PodResourcesProbe = {
  /** Path of the socket that was called. */
  socketPath: string;
  /** Time until the response in milliseconds, including the connection. */
  latencyMs: number;
} & ({ ready: true } | { ready: false; code: PodsErrorCode; message: string; hint: string; retryable: boolean });

/**
 * A client for the kubelet's podresources API (v1): the devices, CPUs and memory of each container on this node, from the socket
 * `<rootDir>/pod-resources/kubelet.sock`. The API sends no changes, so call it again for the current state. Like `PodsClient`, it connects
 * at its first use, retries transient failures, keeps to the kubelet's rate limit, and does not keep the process alive.
 */
export class PodResourcesClient implements AsyncDisposable {
  readonly #socket: KubeletSocket;
  readonly #caller: Caller;
  readonly #environment: Environment;
  readonly #timeoutMs: number | undefined;

  /**
   * Makes a client without connecting. Takes the options of `PodsClient`, except `sources` and `transport`. The socket is the first of
   * these that is set: `socketPath`, $KUBELET_PODRESOURCES_SOCKET, the path below `rootDir`, the path beside $KUBELET_PODS_SOCKET, the
   * default path.
   *
   * @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`.
   */
  constructor(options?: ClientOptions);
  /** @internal Tests pass their own clock. */
  constructor(options: ClientOptions, environment: Environment);
  constructor(options: ClientOptions = {}, environment: Environment = systemEnvironment) {
    if (process.platform === "win32") {
      throw new PodsError({
        code: "unsupported-platform",
        message: String.raw`kubelets on Windows serve podresources on the named pipe \\.\pipe\kubelet-pod-resources`,
      });
    }
    for (const name of ["sources", "transport"] as const)
      if (options[name] !== undefined)
        throw invalidArgument(`PodResourcesClient: ${name} is an option of PodsClient only`);
    const resolved = resolveOptions(options, "PodResourcesClient", podResourcesSocket);
    const socket = new KubeletSocket(resolved, environment.clock);
    this.#socket = socket;
    this.#caller = new Caller(
      {
        get socketPath() {
          return socket.path;
        },
        connect: (signal) => socket.connect(signal),
        changed: (signal) => socket.changed(signal),
        close: () => socket.close(),
      },
      resolved,
      environment,
    );
    this.#environment = environment;
    this.#timeoutMs = resolved.timeoutMs;
  }

  /**
   * Returns the resources of the pods of this node. From 1.34 on, kubelets leave out finished pods.
   *
   * @throws PodsError
   */
  async list(options: CallOptions = {}): Promise<PodResources[]> {
    checkOptions(options, CALL_OPTIONS, "list");
    const { podResources: pods } = await this.#call("List", PodResourcesLister.method.list, {}, options);
    return pods.map(podResources);
  }

  /**
   * Returns the allocatable resources of the node, whether they are assigned or not.
   *
   * @throws PodsError
   */
  async getAllocatableResources(options: CallOptions = {}): Promise<AllocatableResources> {
    checkOptions(options, CALL_OPTIONS, "getAllocatableResources");
    const { getAllocatableResources: method } = PodResourcesLister.method;
    return allocatableResources(await this.#call("GetAllocatableResources", method, {}, options));
  }

  /**
   * Returns the resources of one pod. Kubelets before 1.34 do not serve this call, so the client lists all pods instead.
   *
   * @throws PodsError; `not-found` if the kubelet has no such pod.
   */
  async get(namespace: string, name: string, options: CallOptions = {}): Promise<PodResources> {
    checkOptions(options, CALL_OPTIONS, "get");
    checkText(namespace, "get: the namespace");
    checkText(name, "get: the name");
    const limitMs = options.timeoutMs === undefined ? this.#timeoutMs : resolveTimeoutMs(options.timeoutMs);
    const budget = new Budget(this.#environment.clock, limitMs);
    try {
      return await this.#get(namespace, name, options);
    } catch (error) {
      if (!PodsError.is(error) || error.code !== "not-served") throw error;
    }
    const timeoutMs = budget.leftMs ?? 0;
    const found = (await this.list({ ...options, timeoutMs })).find(
      (pod) => pod.namespace === namespace && pod.name === name,
    );
    if (found === undefined) throw this.#notFound();
    return found;
  }

  /**
   * Checks whether a kubelet answers. Tries once, without waiting for a kubelet that is starting. Never rejects: the result is ready, or
   * has an error code. `timeoutMs` defaults to that of the client.
   */
  async probe(options: Pick<CallOptions, "timeoutMs"> = {}): Promise<PodResourcesProbe> {
    const startMs = this.#environment.clock.now();
    const result = () => ({ socketPath: this.#socket.path, latencyMs: this.#environment.clock.now() - startMs });
    try {
      checkOptions(options, { timeoutMs: "number" }, "probe");
      const { getAllocatableResources: method } = PodResourcesLister.method;
      await this.#call("GetAllocatableResources", method, {}, { ...options, retry: false });
      return { ready: true, ...result() };
    } catch (error) {
      const { code, rawMessage: message, hint, retryable } = PodsError.from(error);
      return { ready: false, code, message, hint, retryable, ...result() };
    }
  }

  /** Closes the client. Pending calls reject with `closed`. Another call returns the same promise. */
  close(): Promise<void> {
    return this.#caller.close();
  }

  /** Closes the client, like {@link close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @throws PodsError `not-served` if the kubelet does not serve the call. */
  async #get(namespace: string, name: string, options: CallOptions): Promise<PodResources> {
    try {
      const input = { podNamespace: namespace, podName: name };
      const { podResources: pod } = await this.#call("Get", PodResourcesLister.method.get, input, options);
      if (pod === undefined) throw this.#notFound();
      if (pod.namespace !== namespace || pod.name !== name) {
        const message = "the kubelet answered with another pod";
        throw new PodsError({ code: "corrupt", message, method: "Get", socketPath: this.#socket.path });
      }
      return podResources(pod);
    } catch (error) {
      throw PodsError.is(error) && error.code === "not-found" ? amend(error, { hint: NOT_FOUND }) : error;
    }
  }

  #notFound(): PodsError {
    return new PodsError({
      code: "not-found",
      message: "the kubelet lists no pod with this name",
      hint: NOT_FOUND,
      method: "Get",
      socketPath: this.#socket.path,
    });
  }

  #call<I extends DescMessage, O extends DescMessage>(
    name: string,
    { parent, input: inputSchema, output }: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    options: CallOptions,
  ): Promise<MessageShape<O>> {
    const path = `/${parent.typeName}/${name}`;
    const message = toBinary(inputSchema, create(inputSchema, input));
    const socket = this.#socket;
    return this.#caller.call(name, options, async ({ signal, timeoutMs, progress }) => {
      try {
        await this.#caller.turn(signal, progress);
        const connection = await socket.connect(signal);
        const request = { path, message, headers: HEADERS, signal, timeoutMs, maxBytes: socket.maxMessageBytes };
        const answer = await this.#caller.sent(() => this.#send(name, connection, request), progress);
        return this.#read(name, output, answer);
      } catch (error) {
        throw PodsError.is(error) ? hinted(error) : error;
      }
    });
  }

  async #send(method: string, connection: Connection, request: GrpcRequest): Promise<Uint8Array> {
    try {
      return await sendUnary(connection, request);
    } catch (error) {
      throw PodsError.from(error, { method, socketPath: this.#socket.path });
    }
  }

  #read<O extends DescMessage>(method: string, output: O, answer: Uint8Array): MessageShape<O> {
    const { path } = this.#socket;
    try {
      if (method === "List" && splitRepeated(answer, MAX_PODS).length > MAX_PODS) throw tooManyPods(method, path);
      if (hasMoreValues(output, answer)) {
        const message = `the answer has more than ${MAX_VALUES} values: no node has that many devices and CPUs`;
        const hint = "check that the kubelet serves this socket";
        throw new PodsError({ code: "too-large", message, hint, method, socketPath: path });
      }
      return fromBinary(output, answer);
    } catch (cause) {
      if (PodsError.is(cause)) throw cause;
      const message = "the answer cannot be decoded";
      throw new PodsError({ code: "corrupt", message, method, socketPath: path, cause });
    }
  }
}

/** Hints that differ from those of the Pods API. */
const PODRESOURCES_HINTS: Partial<Record<PodsErrorCode, string>> = {
  "socket-missing": "is the kubelet up, and the directory `pod-resources` below its root directory mounted here?",
  "connection-refused":
    "the kubelet is down or restarting; in a container mount the directory of the socket, not the file",
  "wrong-peer": "is this the socket of the kubelet's podresources API?",
  "not-served": "this kubelet does not serve the call; Get is on by default from 1.34",
};

/** Replaces the default hint of an error's code by the hint for this API. */
function hinted(error: PodsError): PodsError {
  const hint = PODRESOURCES_HINTS[error.code];
  return hint !== undefined && error.hint === factsOf(error.code).hint ? amend(error, { hint }) : error;
}

const NOT_FOUND = "podresources identifies pods by namespace and name";
