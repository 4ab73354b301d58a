import { seededRandom } from "../../src/testing/index.js";

/** Choices of one connection. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  one<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] as T;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  /** The same with a few bytes changed, some missing, some twice, or cut off. */
  bent(bytes: Uint8Array): Buffer {
    let bent = Buffer.from(bytes);
    for (let times = this.below(4); times > 0 && bent.length > 0; times--) {
      const at = this.below(bent.length);
      const some = bent.subarray(at, at + this.below(64));
      switch (this.below(6)) {
        case 0:
          bent[at] = this.below(256);
          break;
        case 1:
          bent = Buffer.concat([bent.subarray(0, at), this.bytes(this.below(32)), bent.subarray(at)]);
          break;
        case 2:
          bent = Buffer.concat([bent.subarray(0, at), bent.subarray(at + some.length)]);
          break;
        case 3:
          bent = Buffer.concat([bent.subarray(0, at), some, some, bent.subarray(at + some.length)]);
          break;
        case 4:
          bent = bent.subarray(0, at);
          break;
        default: // a length that is far too large
          bent = Buffer.concat([bent.subarray(0, at), Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]), bent.subarray(at)]);
      }
    }
    return bent;
  }
}
