import type { PodsErrorCode } from "../errors/error-code.js";
import type { PodsError } from "../errors/pods-error.js";
import type { PodMask } from "../pod/mask.js";
import { HEADERS } from "../wire/kubelet-socket.js";
import { API_VERSIONS, type ApiVersion } from "./api-versions.js";

/** Facts about the server behind a connection. */
export interface Peer {
  /** The version that it serves; undefined before its first answer. */
  version: ApiVersion | undefined;
  /** Whether it has refused a mask. */
  masksRefused: boolean;
}

/**
 * Finds out what a server speaks, by asking: which version of the API is asked for next, and whether with a mask. What is found
 * out is noted of the peer, so that the next call begins with it.
 */
export class Negotiation {
  readonly #peer: Peer;
  readonly #mask: string;
  readonly #versions: readonly [ApiVersion, ...ApiVersion[]];
  /** The versions that were asked for, the last one now. */
  readonly #asked = new Set<ApiVersion>();
  #version: ApiVersion;
  /** Whether the last request had the mask. Another one, sent at the same time, may have been refused since. */
  #sentMask = false;

  /** @param versions those that may be asked for, in their order. */
  constructor(peer: Peer, mask: PodMask | undefined, versions: readonly [ApiVersion, ...ApiVersion[]] = API_VERSIONS) {
    this.#versions = versions;
    this.#peer = peer;
    this.#mask = mask?.toString() ?? "";
    this.#version = peer.version ?? versions[0];
  }

  /** Says what to ask for now: the version, and the metadata. */
  ask(): { version: ApiVersion; headers: Readonly<Record<string, string>> } {
    const fits = this.#mask !== "" && this.#mask.length <= MAX_MASK_BYTES;
    this.#sentMask = fits && !this.#peer.masksRefused;
    return { version: this.#version, headers: this.#sentMask ? { ...HEADERS, [MASK]: this.#mask } : HEADERS };
  }

  /** Notes that the server has answered. */
  answered(): void {
    this.#peer.version = this.#version;
  }

  /** Notes an error before any answer, and returns whether to ask again: without the mask, or for the next version. */
  refused({ code, grpcCode }: PodsError): boolean {
    if (grpcCode === INVALID_ARGUMENT && this.#sentMask) {
      this.#peer.masksRefused = true;
      return true;
    }
    if (KNOWS_THE_METHOD.has(code)) this.answered();
    if (code !== "not-served") return false;
    this.#asked.add(this.#version);
    // Another call may have found out meanwhile.
    const next = [this.#peer.version, ...this.#versions].find((each) => each !== undefined && !this.#asked.has(each));
    if (next === undefined) return false;
    this.#version = next;
    return true;
  }
}

/** Errors that only a server can give that has the method. */
const KNOWS_THE_METHOD: ReadonlySet<PodsErrorCode> = new Set(["not-found", "initializing"]);

/** The metadata that carries a field mask, as revisions of the kubelet before 1.36 read it. Those that ship ignore it. */
const MASK = "x-kubernetes-fieldmask";

/**
 * A longer mask is not sent: servers and libraries limit headers (nghttp2 sends no more than 64 KiB), and what is answered is
 * cut down here anyway.
 */
const MAX_MASK_BYTES = 8_192;

/** The gRPC status with which a server refuses a mask. */
const INVALID_ARGUMENT = 3;
