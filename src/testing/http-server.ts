import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { PodJson } from "../pod/json-types.js";

/** The kubelet's read-only HTTP server, on 127.0.0.1 without TLS and without a token: `GET /pods` and `GET /healthz`. */
export class HttpServer {
  readonly #pods: () => readonly PodJson[];
  #server: http.Server | undefined;
  /** The port of the first start, which is reused after a restart. */
  #port = 0;

  constructor(pods: () => readonly PodJson[]) {
    this.#pods = pods;
  }

  /** The URL. Valid once the server has listened. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#server = http.createServer((request, response) => this.#answer(request, response));
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = undefined;
  }

  #answer({ method, url = "/" }: http.IncomingMessage, response: http.ServerResponse): void {
    if (method !== "GET") return void response.writeHead(405).end();
    const [path] = url.split("?", 1); // no URL parser: it throws at `//`
    if (path === "/healthz") return void response.end("ok");
    if (path !== "/pods" && path !== "/pods/") return void response.writeHead(404).end("404 page not found\n");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items: this.#pods() }));
  }
}
