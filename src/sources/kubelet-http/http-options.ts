import { invalidArgument } from "../../errors/pods-error.js";
import { type OptionRows, type Resolved, resolve } from "../../option-checks.js";
import { printable } from "../../printable.js";

/** Options of {@link kubeletHttp}. */
export interface KubeletHttpOptions {
  /**
   * URL of the kubelet's HTTP server: `https://127.0.0.1:10250` (secure port), `http://127.0.0.1:10255` (read-only port), or
   * `https://API-SERVER/api/v1/nodes/NODE/proxy`.
   */
  url: string;
  /**
   * Path of a file with a bearer token. It is read for each request, because such files are rotated.
   *
   * @default no token
   */
  tokenFile?: string | undefined;
  /**
   * Path of a file with CA certificates (PEM) for the server's certificate.
   *
   * @default the CA certificates of Node.js
   */
  caFile?: string | undefined;
  /**
   * Path of a file with a client certificate (PEM). Needs `keyFile`. Both are read for each connection.
   *
   * @default no client certificate
   */
  certFile?: string | undefined;
  /** Path of a file with the key of `certFile` (PEM). */
  keyFile?: string | undefined;
  /**
   * True to accept any certificate. Then anyone between this client and the kubelet can read the token and forge pods. A kubelet with a
   * self-signed certificate needs this option, unless `caFile` contains the certificate.
   *
   * @default false
   */
  insecureSkipTlsVerify?: boolean | undefined;
  /**
   * Time between two lists of a watch, in milliseconds, plus or minus 20 %. At least 1,000, because the kubelet encodes all pods as JSON
   * for each list. The watch misses pods that exist only between two lists. A shorter `resyncIntervalMs` of a watch takes precedence.
   *
   * @default 10_000
   */
  pollIntervalMs?: number | undefined;
  /**
   * True if the node has only static pods. The kubelet serves `/pods` before it has read its pods, so by default the client waits until two
   * lists with API pods, two seconds apart, agree. With this option a list is complete once the kubelet has been running for ten seconds.
   *
   * @default false
   */
  standalone?: boolean | undefined;
  /**
   * Maximum size of an answer in bytes. 500 pods of 20 kB are about 15 MB of JSON. A larger answer fails with `too-large`, and so does one
   * with more than 20,000 entries or 1,500,000 values. A pod with more than 50,000 values is unreadable.
   *
   * @default 33_554_432 (32 MiB)
   */
  maxResponseBytes?: number | undefined;
}

type HttpDefaults = "insecureSkipTlsVerify" | "pollIntervalMs" | "standalone" | "maxResponseBytes";

const HTTP_OPTIONS: OptionRows<KubeletHttpOptions, HttpDefaults> = {
  url: "string",
  tokenFile: "string",
  caFile: "string",
  certFile: "string",
  keyFile: "string",
  insecureSkipTlsVerify: { type: "boolean", default: false },
  pollIntervalMs: { type: "number", default: 10_000, least: 1_000 },
  standalone: { type: "boolean", default: false },
  maxResponseBytes: { type: "number", default: 32 * 1024 * 1024, least: 1, whole: true },
};

/** {@link KubeletHttpOptions}, checked and with defaults. */
export interface ResolvedHttpOptions extends Omit<Resolved<KubeletHttpOptions, HttpDefaults>, "url"> {
  url: URL;
}

/** @throws PodsError `invalid-argument` with the name of the option. */
export function resolveHttpOptions(options: KubeletHttpOptions): ResolvedHttpOptions {
  const resolved = resolve(options, HTTP_OPTIONS, "kubeletHttp");
  const { tokenFile, certFile, keyFile } = resolved;
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw invalidArgument("kubeletHttp: url must be an http or https URL", "for example https://127.0.0.1:10250");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw invalidArgument(
      "kubeletHttp: url must have only a scheme, a host, a port and a path",
      "pass a token as tokenFile",
    );
  }
  if (/\/pods\/?$/.test(url.pathname))
    throw invalidArgument("kubeletHttp: url must not end in /pods", "omit /pods; the client appends it");
  if (url.pathname.includes("//"))
    throw invalidArgument("kubeletHttp: url must not have two slashes in a row in its path");
  if (url.protocol === "http:" && (tokenFile ?? certFile) !== undefined) {
    throw invalidArgument(
      "kubeletHttp: tokenFile and certFile need an https URL",
      "use https: http sends the token in plain text and no client certificate",
    );
  }
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw invalidArgument("kubeletHttp: certFile and keyFile must be given together");
  }
  return { ...resolved, url };
}

/** Formats a URL for errors, without secrets. */
export function shownUrl(url: URL): string {
  return printable(url.href.replace(/\/$/, ""), 200);
}
