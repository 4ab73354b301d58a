/// <reference types="node" preserve="true" />

/**
 * For writers of a source of pods: the interface `PodSource`, and the decoder of its bytes.
 *
 * @module kubelet-pods/sources
 * @group Reference
 */

export { decodePod } from "../pod/decode.js";
export type { AttemptOptions, PodSource, SourceBatch, SourceEvent, WatchSource } from "./pod-source.js";
