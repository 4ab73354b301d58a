import { type SelfIdentity, selfIdentity } from "../identity/self-identity.js";
import { NAMES } from "./attribute-names.js";

/** Options of {@link podResourceDetector}. */
export interface PodResourceDetectorOptions {
  /**
   * Environment variables, with those from the downward API: `POD_UID`, `POD_NAMESPACE`, `POD_NAME`, `NODE_NAME`.
   *
   * @default the environment of the process
   */
  env?: NodeJS.ProcessEnv | undefined;
  /**
   * Path of `/proc`.
   *
   * @default "/proc"
   */
  procRoot?: string | undefined;
}

/** A resource detector of `@opentelemetry/resources`. Declared here, so that programs do not need that package for types. */
export interface PodResourceDetector {
  /** Returns the attributes. Each promise resolves to undefined if its value is not known. */
  detect(): { attributes: Record<string, Promise<string | undefined>> };
}

/**
 * Returns a detector for the SDK's resources. It detects the pod, container and node of this process with `selfIdentity()`. The attributes
 * are promises, which the SDK awaits before it exports. Outside of a pod they are undefined.
 * @example
 * ```ts
 * import { detectResources } from "@opentelemetry/resources";
 * import { podResourceDetector } from "kubelet-pods/otel";
 *
 * const resource = detectResources({ detectors: [podResourceDetector()] });
 * ```
 */
export function podResourceDetector(options: PodResourceDetectorOptions = {}): PodResourceDetector {
  const { env = process.env, procRoot } = options;
  return {
    detect() {
      const found = selfIdentity({ env, procRoot }).catch(() => undefined);
      const of = (read: (self: SelfIdentity) => string | undefined) =>
        found.then((self) => (self === undefined ? undefined : read(self) || undefined));
      return {
        attributes: {
          [NAMES.podUID]: of(({ uid }) => uid),
          [NAMES.namespaceName]: of((self) => (self.uid === undefined ? self.namespace : env["POD_NAMESPACE"])),
          [NAMES.podName]: of((self) => (self.uid === undefined ? self.name : env["POD_NAME"])),
          [NAMES.nodeName]: of(({ nodeName }) => nodeName),
          [NAMES.containerID]: of(({ containerID }) => containerID),
          [NAMES.containerName]: of(({ containerName }) => containerName),
        },
      };
    },
  };
}
