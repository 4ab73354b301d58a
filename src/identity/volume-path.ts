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
 * @returns undefined where the path is no volume's.
 */
export function parseVolumePath(path: string): VolumePath | undefined {
  const [, uid, plugin = "", volumeName = ""] = (path.length > MAX_LENGTH ? null : VOLUME.exec(path)) ?? [];
  return uid === undefined ? undefined : { uid, plugin: plugin.replaceAll("~", "/"), volumeName };
}
