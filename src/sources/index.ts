/// <reference types="node" preserve="true" />

/**
 * For who brings a source of pods: what a `PodSource` is made of, and the decoder of the bytes that it gives.
 *
 * @module kubelet-pods/sources
 * @group Reference
 */

export { decodePod } from "../pod/decode.js";
export type { AttemptOptions, PodSource, SourceBatch, SourceEvent, WatchSource } from "./pod-source.js";
