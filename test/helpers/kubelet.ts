import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type ClientOptions, PodsClient } from "../../src/index.js";
import { resolveOptions } from "../../src/options.js";
import type { GrpcRouter } from "../../src/serving/grpc-router.js";
import { type KubeletHttpOptions, resolveHttpOptions } from "../../src/sources/kubelet-http/http-options.js";
import { KubeletHttpSource } from "../../src/sources/kubelet-http/http-source.js";
import type { PodSource } from "../../src/sources/pod-source.js";
import { PodsApi } from "../../src/sources/pods-api.js";
import { type PodJson, ReferenceKubelet, type ReferenceKubeletOptions } from "../../src/testing/index.js";
import { SocketServer } from "../../src/testing/socket-server.js";
import { type Environment, systemClock } from "../../src/timing/clock.js";
import { AutoAdvanceClock } from "./auto-advance-clock.js";

const environments = new WeakMap<TestContext, Environment>();

/** The clock that the kubelets and the clients of a test share: its time passes with the turns of the event loop. */
export function environmentOf(t: TestContext): Environment {
  const environment = environments.get(t) ?? new AutoAdvanceClock().environment;
  environments.set(t, environment);
  return environment;
}

/** A reference kubelet and a client on it, both gone at the end of the test. */
export async function kubeletAndClient(
  t: TestContext,
  kubeletOptions: ReferenceKubeletOptions = {},
  clientOptions: ClientOptions = {},
): Promise<{ kubelet: ReferenceKubelet; pods: PodsClient }> {
  const kubelet = await kubeletOf(t, kubeletOptions);
  return { kubelet, pods: clientOf(t, { socketPath: kubelet.socketPath, ...clientOptions }) };
}

/** A reference kubelet for as long as the test runs. */
export async function kubeletOf(
  t: TestContext,
  options: ReferenceKubeletOptions = {},
  { clock }: Environment = environmentOf(t),
): Promise<ReferenceKubelet> {
  const kubelet = await ReferenceKubelet.start(options, clock);
  t.after(() => kubelet.close());
  return kubelet;
}

/** The pod with another status and another label, so that watchers are told, and can tell which state it is. */
export function changed(pod: PodJson, value: string): PodJson {
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { changed: value } },
    status: { ...pod.status, message: value },
  };
}

export function clientOf(
  t: TestContext,
  options: ClientOptions,
  environment: Environment = environmentOf(t),
): PodsClient {
  const pods = new PodsClient(options, environment);
  t.after(() => pods.close());
  return pods;
}

/** The source of `kubeletHttp()`, on the clock of the test. */
export function httpSource(t: TestContext, options: KubeletHttpOptions): PodSource {
  return new KubeletHttpSource(resolveHttpOptions(options), environmentOf(t).clock);
}

/** The source of `podsApi()`, on the clock of the test. */
export function podsApiSource(t: TestContext, socketPath: string): PodSource {
  return new PodsApi(resolveOptions({ socketPath }), environmentOf(t).clock);
}

export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "kubelet-pods-"));
  t.after(() => {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch {
      busy.add(directory); // hooks that follow end what still writes here, and they would not run
    }
  });
  return directory;
}

/** Directories that were written to while they were removed. */
const busy = new Set<string>();
process.once("exit", () => {
  for (const directory of busy) rmSync(directory, { recursive: true, force: true });
});

/** A gRPC server with services of the test's own. */
export async function serve(t: TestContext, routes: (router: GrpcRouter) => void): Promise<string> {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  const server = new SocketServer(socketPath, routes, systemClock);
  await server.listen();
  t.after(() => server.kill());
  return socketPath;
}

/** A peer that does with each connection what the test says. */
export async function serveRaw(t: TestContext, onConnection: (socket: net.Socket) => void): Promise<string> {
  const socketPath = join(temporaryDirectory(t), "s.sock");
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return socketPath;
}
