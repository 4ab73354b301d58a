/**
 * The kubelets that the reference kubelet can imitate: the releases with the API (1.38 as of its beta), 1.37 with the API under a later name,
 * and a kubelet with the API as printed in the Kubernetes documentation.
 */
export type KubeletProfile = "1.38" | "1.37" | "1.36" | "v1beta1" | "v1" | "documented";

/** The differences between profiles (pkg/kubelet of v1.38.0-beta.0, v1.37.2 and v1.36.4). */
export interface ProfileFacts {
  /** The name of the registered service. */
  service: "v1alpha1.Pods" | "v1beta1.Pods" | "v1.Pods" | "Pods";
  /** The hash of manifests: MD5 in 1.36, and FNV since 1.37. With another hash, static pods have other UIDs. */
  manifestHash: "MD5" | "FNV";
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
  /** True if WatchPods counts towards the rate limit. */
  limitsWatches: boolean;
  /** Maximum number of concurrent requests on one connection; undefined for no limit. */
  maxStreams: number | undefined;
  /** True if a pod that is Failed stays Failed, with reason and message, even if its containers exit with 0. */
  keepsFailed: boolean;
  /** True if a container inherits probe results over a kubelet restart only from a container with the same ID. */
  inheritsProbesByID: boolean;
}

const BETA: ProfileFacts = {
  manifestHash: "FNV",
  service: "v1alpha1.Pods",
  refusesUntilReady: true,
  hidesUnverifiedReady: true,
  explainsSandbox: true,
  endsWatchesAtShutdown: true,
  limitsWatches: false,
  maxStreams: undefined,
  keepsFailed: false,
  inheritsProbesByID: false,
};

export const PROFILES: Readonly<Record<KubeletProfile, ProfileFacts>> = {
  "1.38": {
    ...BETA,
    limitsWatches: true,
    maxStreams: 100, // DefaultMaxConcurrentStreams in pkg/kubelet/apis/pods/constants.go
    keepsFailed: true,
    inheritsProbesByID: true,
  },
  "1.37": BETA,
  "1.36": {
    ...BETA,
    manifestHash: "MD5",
    refusesUntilReady: false,
    hidesUnverifiedReady: false,
    explainsSandbox: false,
    endsWatchesAtShutdown: false,
  },
  v1beta1: { ...BETA, service: "v1beta1.Pods" },
  v1: { ...BETA, service: "v1.Pods" },
  documented: { ...BETA, service: "Pods", hidesUnverifiedReady: false },
};
