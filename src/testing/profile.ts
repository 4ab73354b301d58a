/**
 * The kubelets that the reference kubelet can imitate: the two releases with the API, 1.37 with the API under a later name, and a kubelet
 * with the API as printed in the Kubernetes documentation.
 */
export type KubeletProfile = "1.37" | "1.36" | "v1beta1" | "v1" | "documented";

/** The differences between profiles (pkg/kubelet/apis/pods and pkg/kubelet/server of v1.37.1 and v1.36.4). */
export interface ProfileFacts {
  /** The name of the registered service. */
  service: "v1alpha1.Pods" | "v1beta1.Pods" | "v1.Pods" | "Pods";
  /** The release. 1.36 hashes manifests with MD5 and 1.37 with FNV, so static pods have different UIDs. */
  release: string;
  /**
   * True if calls get FAILED_PRECONDITION until all pod sources have been read. Otherwise the kubelet answers with the pods of the sources
   * that it has read.
   */
  refusesUntilReady: boolean;
  /** True if Ready=True is served as False for a pod whose status this process has not reported yet. */
  hidesUnverifiedReady: boolean;
  /** True if the condition PodReadyToStartContainers says why a pod has no sandbox. */
  explainsSandbox: boolean;
  /** True if a graceful shutdown ends each watch with RESOURCE_EXHAUSTED. Otherwise watches stay open until the process ends. */
  endsWatchesAtShutdown: boolean;
}

const NEWEST: ProfileFacts = {
  release: "1.37",
  service: "v1alpha1.Pods",
  refusesUntilReady: true,
  hidesUnverifiedReady: true,
  explainsSandbox: true,
  endsWatchesAtShutdown: true,
};

export const PROFILES: Readonly<Record<KubeletProfile, ProfileFacts>> = {
  "1.37": NEWEST,
  "1.36": {
    ...NEWEST,
    release: "1.36",
    refusesUntilReady: false,
    hidesUnverifiedReady: false,
    explainsSandbox: false,
    endsWatchesAtShutdown: false,
  },
  v1beta1: { ...NEWEST, service: "v1beta1.Pods" },
  v1: { ...NEWEST, service: "v1.Pods" },
  documented: { ...NEWEST, service: "Pods", hidesUnverifiedReady: false },
};
