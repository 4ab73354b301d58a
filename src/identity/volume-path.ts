import { join } from "node:path";
import { type Needs, needed } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { pathPart } from "./path-part.js";

/** A volume of a pod, as its path names it: a key for lookups. */
export interface VolumePath {
  /** The UID that the kubelet gave the pod. */
  readonly uid: string;
  /** The plugin, such as `kubernetes.io/csi`. */
  readonly plugin: string;
  /** The name of the volume: in the pod's spec, or of the PersistentVolume, as the plugin has it. */
  readonly volumeName: string;
}

/** The longest path that Linux has. */
const MAX_LENGTH = 4_096;

/** `pods/<uid>/volumes/<plugin, with ~ for />/<name>` (GetPodVolumeDir in pkg/kubelet/kubelet_getters.go), and what is below. */
const VOLUME = /(?:^|\/)pods\/([0-9a-f-]{32,36})\/(?:volumes|volumeDevices)\/([^/]+)\/([^/]+)(?:\/|$)/;

/**
 * Reads the pod and the volume out of a path below the kubelet's root directory: of the volume itself, or of anything in it.
 *
 * @returns undefined if the path belongs to no volume.
 */
export function parseVolumePath(path: string): VolumePath | undefined {
  const [, uid, plugin = "", volumeName = ""] = (path.length > MAX_LENGTH ? null : VOLUME.exec(path)) ?? [];
  return uid === undefined ? undefined : { uid, plugin: plugin.replaceAll("~", "/"), volumeName };
}

/** The paths that {@link volumesDirectoryOf} reads. */
export const VOLUMES_PATHS = ["metadata.uid"] as const;
type VolumesPaths = (typeof VOLUMES_PATHS)[number];

/**
 * Returns the directory of a pod's volumes, with a directory in it for each plugin (getPodVolumesDir in pkg/kubelet).
 *
 * @param options `rootDir` is the kubelet's `--root-dir`, `/var/lib/kubelet` by default.
 * @throws PodsError `invalid-argument` if the UID cannot be a part of a path.
 */
export function volumesDirectoryOf<P>(
  pod: Pod | (P & Needs<P, VolumesPaths>),
  options: { rootDir?: string | undefined } = {},
): string {
  const { rootDir = "/var/lib/kubelet" } = options;
  return join(
    rootDir,
    "pods",
    pathPart(needed(pod, VOLUMES_PATHS, "volumesDirectoryOf").metadata?.uid ?? "", "the UID"),
    "volumes",
  );
}
