import { once } from "node:events";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { PodJson } from "../../src/index.js";
import { root } from "./programs.js";

export const certs = join(root, "test/sources/certs");

/** A kubelet's HTTP server: `GET /pods`, and what goes wrong with it. */
export class HttpKubelet {
  readonly server: http.Server;
  readonly #scheme: string;
  pods: () => readonly PodJson[];
  /** Answers in the place of the list. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  readonly requests: { url: string; token: string | undefined }[] = [];
  readonly #sockets = new Set<Socket>();

  private constructor(pods: () => readonly PodJson[], certificate: string | undefined, mutual: boolean) {
    this.pods = pods;
    const handle = (request: IncomingMessage, response: ServerResponse) => {
      this.requests.push({ url: request.url ?? "", token: request.headers.authorization });
      if (this.answer !== undefined) return this.answer(request, response);
      if (!request.url?.endsWith("/pods")) return void response.writeHead(404).end();
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items: this.pods() }));
    };
    this.#scheme = certificate === undefined ? "http" : "https";
    if (certificate === undefined) this.server = http.createServer(handle);
    else {
      const read = (file: string) => readFileSync(join(certs, file));
      const identity = { cert: read(`${certificate}.pem`), key: read(`${certificate}.key`) };
      const options = { ...identity, ca: read("ca.pem"), requestCert: mutual, rejectUnauthorized: mutual };
      this.server = https.createServer(options, handle);
    }
    this.server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      if (!this.server.listening) socket.destroy();
    });
  }

  static async start(
    t: TestContext,
    pods: () => readonly PodJson[],
    { certificate, mutual = false }: { certificate?: string; mutual?: boolean } = {},
  ): Promise<HttpKubelet> {
    const kubelet = new HttpKubelet(pods, certificate, mutual);
    kubelet.server.listen(0, "localhost");
    await once(kubelet.server, "listening");
    t.after(() => kubelet.close());
    return kubelet;
  }

  get url(): string {
    const address = this.server.address();
    return `${this.#scheme}://localhost:${typeof address === "object" ? address?.port : ""}`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    // Also one whose handshake is under way, which Node.js does not count: it would be served for as long as somebody polls.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
