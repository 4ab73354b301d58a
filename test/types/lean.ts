// Each entry but connect's, whose own types name the DOM's, and parts of pods.

import { PodsClient } from "kubelet-pods";
import { kubeletHttp } from "kubelet-pods/kubelet-http";
import { attributesOf } from "kubelet-pods/otel";
import { PodResourcesClient } from "kubelet-pods/podresources";
import { type Affinity, PodSchema, type PodSecurityContext, type Toleration } from "kubelet-pods/schema";
import { ReferenceKubelet } from "kubelet-pods/testing";

export const entries = { PodsClient, kubeletHttp, attributesOf, PodResourcesClient, PodSchema, ReferenceKubelet };
export type Parts = Affinity | PodSecurityContext | Toleration;
