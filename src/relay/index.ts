/// <reference types="node" preserve="true" />

/**
 * Pods for readers that are not root: a pipe to the kubelet's socket, the only part that runs as root, and doors on which a relay shows an
 * informer's pods. Experimental.
 *
 * @module kubelet-pods/relay
 * @group Reference
 */
export type { DoorPlace } from "../serving/door-socket.js";
export { DOOR_MASK, type Door } from "./door.js";
export { type Pipe, type PipeOptions, servePipe } from "./pipe.js";
export { type Relay, serveRelay } from "./relay.js";
