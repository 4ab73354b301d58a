import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import http2 from "node:http2";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { invalidArgument, PodsError } from "../errors/pods-error.js";
import { otherFile, socketCandidates, socketIdentity } from "../wire/socket-path.js";

/**
 * A gRPC server on a Unix socket that comes and goes as a kubelet's does: it listens under a temporary name and renames
 * it into place, and leaves the file behind when it goes.
 */
export class SocketServer {
  readonly #path: string;
  readonly #routes: (router: ConnectRouter) => void;
  readonly #connections = new Set<Socket>();
  #server: http2.Http2Server | undefined;
  #identity: string | undefined;

  constructor(path: string, routes: (router: ConnectRouter) => void) {
    this.#path = path;
    this.#routes = routes;
  }

  /** @throws PodsError where something else than a socket that nobody listens to lies at the path. */
  async listen(): Promise<void> {
    await this.#checkFree();
    const directory = dirname(this.#path);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const handler = connectNodeAdapter({
      routes: this.#routes,
      connect: false,
      grpcWeb: false,
      fallback: (request, response) =>
        unknownMethod(request as http2.Http2ServerRequest, response as http2.Http2ServerResponse),
    });
    const server = http2.createServer(handler);
    server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
    const temporary = join(directory, `.${randomBytes(3).toString("hex")}`);
    socketCandidates({ socketPath: temporary }); // a long path may leave no room for it
    this.#server = server;
    server.listen(temporary);
    await once(server, "listening");
    this.#identity = socketIdentity(temporary);
    renameSync(temporary, this.#path);
  }

  async #checkFree(): Promise<void> {
    const other = otherFile(this.#path);
    const context = { socketPath: this.#path, hint: "choose another path" };
    if (other !== undefined) {
      throw new PodsError({
        ...context,
        code: "not-a-socket",
        message: `cannot listen on ${this.#path}: it is ${other}`,
      });
    }
    if (socketIdentity(this.#path) === undefined) return;
    const socket = connect(this.#path);
    const taken = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (taken) throw invalidArgument(`cannot listen on ${this.#path}: somebody does already`, context.hint);
  }

  /** Ends the server and its connections at once, as when the process is killed. The file stays. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  /** Removes the file, unless another server has put its own in the place. */
  removeFile(): void {
    if (this.#identity !== undefined && socketIdentity(this.#path) === this.#identity) rmSync(this.#path);
  }
}

/** What grpc-go answers for a service or a method that it does not have. */
function unknownMethod(request: http2.Http2ServerRequest, response: http2.Http2ServerResponse): void {
  const service = request.url.split("/")[1] ?? "";
  response.stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": "12",
      "grpc-message": encodeURIComponent(`unknown service ${service}`),
    },
    { endStream: true },
  );
}
