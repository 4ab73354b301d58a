// Compiled, never run: functions of protobuf-es take the pods of the client as they are, and their pods go the other way.

import {
  clone,
  create,
  equals,
  fromBinary,
  isFieldSet,
  merge,
  toBinary,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { conditionsOf, isReady, type Pod, PodsClient, toKubernetesJson, workloadOf } from "kubelet-pods";
import { type ContainerStatus, ContainerStatusSchema, type Pod as GeneratedPod, PodSchema } from "kubelet-pods/schema";

const [pod, other] = (await new PodsClient().listPods()) as [Pod, Pod];

toBinary(PodSchema, pod);
toJson(PodSchema, pod);
toJsonString(PodSchema, pod);
const copy: GeneratedPod = clone(PodSchema, pod);
equals(PodSchema, pod, other);
merge(PodSchema, copy, pod);
isFieldSet(pod, PodSchema.field.status);
reflect(PodSchema, pod).get(PodSchema.field.metadata);
anyPack(PodSchema, pod);
create(PodSchema, pod);

// Functions that are written for Buf's types.
const nameOf = ({ metadata }: GeneratedPod): string | undefined => metadata?.name;
const namesOf = (list: GeneratedPod[]): (string | undefined)[] => list.map(nameOf);
const longest = (statuses: ContainerStatus[]): number => Math.max(...statuses.map(({ name }) => name.length));
nameOf(pod);
namesOf([pod, other]);
longest(pod.status.containerStatuses);
toBinary(ContainerStatusSchema, pod.status.containerStatuses[0] ?? create(ContainerStatusSchema));

// The way back: functions that read whole pods take Buf's.
const decoded = fromBinary(PodSchema, new Uint8Array());
isReady(decoded);
conditionsOf(decoded);
workloadOf(decoded);
toKubernetesJson(decoded);
