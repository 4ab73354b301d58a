// What becomes of a kubelet's events on their way to its watchers: they are lost, swapped or damaged.

import type { Clock } from "../../src/timing/clock.js";
import { bytesOf, type Damage, type Shown, saidOf } from "./shown-pod.js";
import type { EventType, Teller } from "./teller.js";
import type { Truth } from "./truth.js";

export class Messages {
  readonly #teller: Teller;
  readonly #truth: Truth;
  readonly #clock: Clock;
  #dropNext = 0;
  #swapNext: { type: EventType; uid: string; shown: Shown } | true | undefined;
  #damageNext: Damage | undefined;
  /** An event of a new type comes with each look. */
  #isNewer = false;
  /** An event of a new type was told. */
  hadNewType = false;
  /** When each process first sent one to a live stream. */
  readonly newTypes: number[] = [];
  #newTypeOf: number | undefined;
  /** When something was last done to what is told; what readers know may differ from what the kubelet shows until a list. */
  faultMs = Number.NEGATIVE_INFINITY;
  /** When messages were told of which nothing can be read. */
  readonly illegible: number[] = [];
  /** Which faults there were, with what they were done to. */
  readonly faults: { readonly atMs: number; readonly uid: string }[] = [];

  constructor(teller: Teller, truth: Truth, clock: Clock) {
    this.#teller = teller;
    this.#truth = truth;
    this.#clock = clock;
  }

  drop(messages: number): void {
    this.#dropNext += messages;
  }

  swap(): void {
    this.#swapNext ??= true;
  }

  damage(how: Damage): void {
    this.#damageNext = how;
  }

  /** An event of a type that no client knows; where that goes on, one comes each second. */
  newType(goesOn: boolean): void {
    this.hadNewType = true;
    this.#truth.note("T17");
    const { process, isLive } = this.#teller;
    if (isLive && this.#newTypeOf !== process) this.newTypes.push(this.#clock.now());
    this.#newTypeOf = process;
    this.#teller.unknown();
    if (goesOn && !this.#isNewer) {
      this.#isNewer = true;
      this.#repeatType(this.#teller.process);
    }
  }

  /** Another process begins. */
  begin(): void {
    this.#dropNext = 0;
    this.#swapNext = undefined;
    this.#isNewer = false;
  }

  /** Nothing is done to messages any more. */
  heal(): void {
    this.begin();
    this.#damageNext = undefined;
  }

  fault(uid: string): void {
    this.faultMs = this.#clock.now();
    this.faults.push({ atMs: this.faultMs, uid });
  }

  send(type: EventType, shown: Shown): void {
    if (!this.#teller.isUp) return;
    const { uid } = shown;
    if (this.#isNewer) this.#teller.unknown();
    if (this.#dropNext > 0) {
      this.#dropNext--;
      this.#truth.note("T13");
      this.fault(uid);
      return;
    }
    if (this.#swapNext === true) {
      if (type !== "MODIFIED") {
        this.#out(type, shown);
        return;
      }
      this.#swapNext = { type, uid, shown };
      this.#clock.after(10_000, () => this.#tellOvertaken());
      this.fault(uid);
      return;
    }
    this.#out(type, shown);
    if (this.#swapNext?.uid === uid) this.#tellOvertaken();
  }

  /** Says what another update has overtaken. */
  #tellOvertaken(): void {
    const late = this.#swapNext;
    this.#swapNext = undefined;
    if (late === undefined || late === true) return;
    this.fault(late.uid);
    this.#truth.note("T14");
    if (this.#teller.isUp) this.#out(late.type, late.shown);
  }

  #out(type: EventType, shown: Shown): void {
    const damage = this.#damageNext;
    this.#damageNext = undefined;
    if (damage !== undefined) {
      this.fault(shown.uid);
      this.#truth.note("T16");
      if (damage === "all") this.illegible.push(this.faultMs);
    }
    const isGone = type === "DELETED";
    this.#teller.tell(type, bytesOf(shown, damage, isGone), saidOf(shown, damage, isGone));
  }

  #repeatType(process: number): void {
    this.#clock.after(1_000, () => {
      if (!this.#isNewer || this.#teller.process !== process || !this.#teller.isUp) return;
      this.#teller.unknown();
      this.#repeatType(process);
    });
  }
}
