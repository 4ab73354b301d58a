import type { PodsErrorCode } from "../errors/error-code.js";
import { GRPC } from "../errors/grpc-error.js";
import type { PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { HEADERS } from "../wire/kubelet-socket.js";
import { API_VERSIONS, type ApiVersion } from "./api-versions.js";

/** Facts about the server behind a connection. */
export interface Peer {
  /** Version that the server serves; undefined before its first answer. */
  version: ApiVersion | undefined;
  /** True if the server has refused a mask. */
  masksRefused: boolean;
}

/**
 * Finds out by trial which version of the API a server serves, and whether it accepts a mask. The peer stores the result, so that the next
 * call starts with it.
 */
export class Negotiation {
  readonly #peer: Peer;
  readonly #mask: string;
  readonly #versions: readonly [ApiVersion, ...ApiVersion[]];
  /** Versions that the server has refused. */
  readonly #asked = new Set<ApiVersion>();
  #version: ApiVersion;
  /** Error of the version that was tried first. */
  #notServed: PodsError | undefined;
  /** True if the last request contained the mask. The server may have refused the mask of a concurrent request since. */
  #sentMask = false;

  /** @param versions the versions to try, in order. */
  constructor(peer: Peer, mask: PodMask | undefined, versions: readonly [ApiVersion, ...ApiVersion[]] = API_VERSIONS) {
    this.#versions = versions;
    this.#peer = peer;
    this.#mask = mask?.toString() ?? "";
    this.#version = peer.version ?? versions[0];
  }

  /** Returns the version and the metadata for the next request. */
  ask(): { version: ApiVersion; headers: Readonly<Record<string, string>> } {
    const fits = this.#mask !== "" && this.#mask.length <= MAX_MASK_BYTES;
    this.#sentMask = fits && !this.#peer.masksRefused;
    return { version: this.#version, headers: this.#sentMask ? { ...HEADERS, [MASK_HEADER]: this.#mask } : HEADERS };
  }

  /** Records that the server has answered a request of the current version. */
  answered(): void {
    this.#peer.version = this.#version;
  }

  /**
   * Records an error that came before any answer. Returns undefined if the call must be repeated: without the mask, or for the next version.
   * Otherwise returns the error to report: if no version is served, that of the version that was tried first.
   */
  failed(error: PodsError): PodsError | undefined {
    const { code, grpcCode } = error;
    if (grpcCode === GRPC.invalidArgument && this.#sentMask) {
      this.#peer.masksRefused = true;
      return undefined;
    }
    if (KNOWS_THE_METHOD.has(code)) this.answered();
    if (code !== "not-served") return error;
    this.#notServed ??= error;
    this.#asked.add(this.#version);
    // Another call may have found the version meanwhile.
    const next = [this.#peer.version, ...this.#versions].find((each) => each !== undefined && !this.#asked.has(each));
    if (next === undefined) return this.#notServed;
    this.#version = next;
    return undefined;
  }
}

/** Errors that only a server with this method returns. */
const KNOWS_THE_METHOD: ReadonlySet<PodsErrorCode> = new Set(["not-found", "initializing"]);

/** Metadata with a field mask, which revisions of the kubelet before 1.36 apply. Released kubelets ignore it. */
const MASK_HEADER = "x-kubernetes-fieldmask";

/**
 * Longer masks are not sent: servers and libraries limit headers (nghttp2 sends at most 64 KiB), and the client applies the mask to answers
 * in any case.
 */
const MAX_MASK_BYTES = 8_192;
