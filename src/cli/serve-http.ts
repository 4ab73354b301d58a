import { execFile } from "node:child_process";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { invalidArgument } from "../errors/pods-error.js";
import type { PodJson } from "../pod/json-types.js";
import { printable } from "../printable.js";
import { UsageError } from "./command.js";

/** Options of the played HTTP server of a kubelet. */
export interface HttpOptions {
  /** The port of the server with TLS and a token; 0 for any free one, undefined for none. */
  readonly port: number | undefined;
  /** The port without TLS and token. */
  readonly readOnlyPort: number | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
}

/** The kubelet's HTTP server: `GET /pods` on 127.0.0.1, with TLS and a token as on 10250, or without as on its read-only port. */
export class PodsHttpServer implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #remove: () => void = () => {};
  /** Variables to set in the environment of an agent. */
  readonly environment: Record<string, string> = {};

  private constructor() {}

  /** @throws UsageError if it cannot listen, or has no certificate. */
  static async start(options: HttpOptions, pods: () => readonly PodJson[]): Promise<PodsHttpServer> {
    const server = new PodsHttpServer();
    try {
      if (options.port !== undefined) await server.#startTls(options.port, options, pods);
      if (options.readOnlyPort !== undefined) {
        const plain = createServer((request, response) => answer(request, response, pods));
        server.environment["KUBELET_READ_ONLY_URL"] = `http://${await server.#listen(plain, options.readOnlyPort)}`;
      }
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  async #startTls(port: number, options: HttpOptions, pods: () => readonly PodJson[]): Promise<void> {
    const directory = temporaryDirectory();
    this.#remove = () => rmSync(directory, { recursive: true, force: true });
    process.once("exit", this.#remove);
    const own = { certFile: join(directory, "kubelet.crt"), keyFile: join(directory, "kubelet.key") };
    const { certFile = own.certFile, keyFile = own.keyFile } = options;
    if (options.certFile === undefined) await makeCertificate(own);
    const token = randomBytes(24).toString("base64url");
    const tokenFile = join(directory, "token");
    writeFileSync(tokenFile, token, { mode: 0o600 });
    const identity = { cert: readFile(certFile), key: readFile(keyFile) };
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      if (isGranted(request, token)) answer(request, response, pods);
      else response.writeHead(401).end("Unauthorized");
    };
    const tls = this.#tls(identity, handle);
    this.environment["KUBELET_URL"] = `https://${await this.#listen(tls, port)}`;
    this.environment["KUBELET_CA_FILE"] = certFile;
    this.environment["KUBELET_TOKEN_FILE"] = tokenFile;
  }

  #tls(identity: { cert: Buffer; key: Buffer }, handle: (request: IncomingMessage, response: ServerResponse) => void) {
    try {
      return createTlsServer(identity, handle);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(
        `--http: what --tls-cert-file and --tls-private-key-file name is no certificate with its key (${code})`,
      );
    }
  }

  async #listen(server: Server, port: number): Promise<string> {
    this.#servers.push(server);
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch (error) {
      throw invalidArgument(
        `cannot listen on port ${port} (${(error as NodeJS.ErrnoException).code})`,
        "choose another port",
      );
    }
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = this.#servers.filter(({ listening }) => listening).map((each) => promisify(each.close.bind(each))());
    // Also sockets in a handshake, which Node.js does not count: a polling agent on one would keep the server for ever.
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
    this.#remove();
    process.removeListener("exit", this.#remove);
  }
}

/** @throws PodsError if it cannot be made. */
function temporaryDirectory(): string {
  try {
    return mkdtempSync(join(tmpdir(), "kubelet-http-"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalidArgument(`--http: cannot make a directory in ${tmpdir()} (${code})`, "set TMPDIR");
  }
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--http: ${printable(path, 200)} cannot be read (${code})`);
  }
}

/** Makes a certificate for this machine by openssl: Node.js cannot make one itself. */
async function makeCertificate({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<void> {
  const names = "subjectAltName=IP:127.0.0.1,DNS:localhost";
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "365"];
  try {
    const files = ["-keyout", keyFile, "-out", certFile];
    await promisify(execFile)("openssl", [...args, "-subj", "/CN=kubelet-pods serve", "-addext", names, ...files]);
    chmodSync(keyFile, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT" ? "there is no openssl to make a certificate" : "openssl could not make a certificate";
    throw new UsageError(`--http: ${why}: give --tls-cert-file and --tls-private-key-file`);
  }
}

function isGranted({ headers: { authorization = "" } }: IncomingMessage, token: string): boolean {
  const [given, expected] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function answer({ method, url }: IncomingMessage, response: ServerResponse, pods: () => readonly PodJson[]): void {
  if (method !== "GET") return void response.writeHead(405).end();
  const [pathname] = (url ?? "/").split("?", 1); // no URL parser: it throws at `//`
  if (pathname === "/healthz") return void response.end("ok");
  if (pathname !== "/pods" && pathname !== "/pods/") return void response.writeHead(404).end("404 page not found\n");
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items: pods() }));
}
