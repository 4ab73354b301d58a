import { EventStream, type WatchHost } from "../event-stream.js";
import type { PodWatchOptions } from "../pod-watch.js";
import { ContainerConsumer } from "./container-consumer.js";
import type { ContainerEvent } from "./container-event.js";

/** The iterator of one watch of containers. */
export class ContainerWatch<P> extends EventStream<ContainerEvent<P>> {
  constructor(host: WatchHost, options: PodWatchOptions) {
    super(host, options, (onReady) => new ContainerConsumer<P>(options, onReady, () => host.clock.wallMs()));
  }
}
