/**
 * The kubelets that can be played: the two that ship the API, 1.37 with the API by a later name, and the one that the documentation
 * prints.
 */
export type KubeletProfile = "1.37" | "1.36" | "v1beta1" | "v1" | "documented";

/** The differences between profiles (pkg/kubelet/apis/pods and pkg/kubelet/server of v1.37.1 and v1.36.4). */
export interface ProfileFacts {
  /** The service that is registered: by the names of those that ship, or the one that is printed. */
  service: "v1alpha1.Pods" | "v1beta1.Pods" | "v1.Pods" | "Pods";
  /** The release, by which manifests are hashed: 1.36 by MD5, 1.37 by FNV, and so each static pod has another UID. */
  release: string;
  /** FAILED_PRECONDITION until all pod sources have been read; else it answers with the pods of those that have. */
  refusesUntilReady: boolean;
  /** Ready=True of a pod without a status of this process is served as False. */
  hidesUnverifiedReady: boolean;
  /** A shutdown in order ends each watch with RESOURCE_EXHAUSTED; else it stays open until the process is gone. */
  endsWatchesAtShutdown: boolean;
}

const NEWEST: ProfileFacts = {
  release: "1.37",
  service: "v1alpha1.Pods",
  refusesUntilReady: true,
  hidesUnverifiedReady: true,
  endsWatchesAtShutdown: true,
};

export const PROFILES: Readonly<Record<KubeletProfile, ProfileFacts>> = {
  "1.37": NEWEST,
  "1.36": {
    ...NEWEST,
    release: "1.36",
    refusesUntilReady: false,
    hidesUnverifiedReady: false,
    endsWatchesAtShutdown: false,
  },
  v1beta1: { ...NEWEST, service: "v1beta1.Pods" },
  v1: { ...NEWEST, service: "v1.Pods" },
  documented: { ...NEWEST, service: "Pods", hidesUnverifiedReady: false },
};
