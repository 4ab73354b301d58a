/** The kubelets that can be played: the two that ship the API, and the one that the documentation prints. */
export type KubeletProfile = "1.37" | "1.36" | "documented";

/** The differences between profiles (pkg/kubelet/apis/pods and pkg/kubelet/server of v1.37.1 and v1.36.4). */
export interface ProfileFacts {
  /** The service that is registered: the one that ships, or the one that is printed. */
  service: "served" | "documented";
  /** The release, by which manifests are hashed: 1.36 by MD5, 1.37 by FNV, and so each static pod has another UID. */
  release: string;
  /** FAILED_PRECONDITION until all pod sources have been read; else it answers with the pods of those that have. */
  refusesUntilReady: boolean;
  /** Ready=True of a pod without a status of this process is served as False. */
  hidesUnverifiedReady: boolean;
  /** A shutdown in order ends each watch with RESOURCE_EXHAUSTED; else it stays open until the process is gone. */
  endsWatchesAtShutdown: boolean;
}

export const PROFILES: Readonly<Record<KubeletProfile, ProfileFacts>> = {
  "1.37": {
    release: "1.37",
    service: "served",
    refusesUntilReady: true,
    hidesUnverifiedReady: true,
    endsWatchesAtShutdown: true,
  },
  "1.36": {
    release: "1.36",
    service: "served",
    refusesUntilReady: false,
    hidesUnverifiedReady: false,
    endsWatchesAtShutdown: false,
  },
  documented: {
    release: "1.37",
    service: "documented",
    refusesUntilReady: true,
    hidesUnverifiedReady: false,
    endsWatchesAtShutdown: true,
  },
};
