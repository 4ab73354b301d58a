/**
 * Each part of a pod, as a type: `Container`, `ContainerStatus`, `Volume`, `ObjectMeta` and so on. They can be read alone: a pod is
 * something that several readers have in common. Nothing is loaded.
 *
 * @module kubelet-pods/types
 * @group Reference
 */

export type * from "./gen/pod-types.js";
