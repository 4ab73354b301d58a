import { Consumer } from "./consumer.js";
import { EventStream, type EventStreamOptions, type WatchHost } from "./event-stream.js";
import type { PodEvent } from "./events.js";
import type { Selection } from "./selection.js";

/** Options of a watch, checked. */
export interface PodWatchOptions extends Selection, EventStreamOptions {}

/** The iterator of one watch of pods. */
export class PodWatch<P> extends EventStream<PodEvent<P>> {
  constructor(host: WatchHost, options: PodWatchOptions) {
    super(host, options, (onReady) => new Consumer<P>(options, onReady));
  }
}
