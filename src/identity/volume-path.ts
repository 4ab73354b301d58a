import { join } from "node:path";
import { type Needs, needed } from "../pod/needs.js";
import type { Pod } from "../pod/pod.js";
import { MAX_PATH, pathPart } from "./path-part.js";

/** The pod and the volume in the path of a volume: a key for lookups. */
export interface VolumePath {
  /** UID that the kubelet gave the pod. */
  readonly uid: string;
  /** Plugin, such as `kubernetes.io/csi`. Undefined for the path of a `subPath`, which does not have it. */
  readonly plugin: string | undefined;
  /** Name of the volume in the pod's spec, or of the PersistentVolume, depending on the plugin. */
  readonly volumeName: string;
}

/**
 * `pods/<uid>/volumes/<plugin, with ~ for />/<name>` (GetPodVolumeDir in pkg/kubelet/kubelet_getters.go), and
 * `pods/<uid>/volume-subpaths/<name>/<container>/<number>` (pkg/volume/util/subpath). The UID of a static pod can be any text.
 */
const VOLUME = /(?:^|\/)pods\/([^/]+)\/(?:(?:volumes|volumeDevices)\/([^/]+)|volume-subpaths)\/([^/]+)(?:\/|$)/;

/**
 * Parses the path of a volume, or of a file in it, below the kubelet's root directory.
 *
 * @returns undefined if the path does not belong to a volume.
 */
export function parseVolumePath(path: string): VolumePath | undefined {
  const [, uid, plugin, volumeName = ""] = (path.length > MAX_PATH ? null : VOLUME.exec(path)) ?? [];
  return uid === undefined ? undefined : { uid, plugin: plugin?.replaceAll("~", "/"), volumeName };
}

export const VOLUMES_PATHS = ["metadata.uid"] as const;
type VolumesPaths = (typeof VOLUMES_PATHS)[number];

/**
 * Returns the directory of a pod's volumes, which has a directory for each plugin (getPodVolumesDir in pkg/kubelet).
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
