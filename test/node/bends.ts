// How a record is bent: lines are dropped, moved, doubled, changed and added.

import type { At } from "./journal.js";
import { BEGIN_MS, inOrder } from "./well-record.js";

type Is = (line: At) => boolean;
export type Bend = (lines: At[]) => At[];

/** Returns the time of a second of the record. */
export function ms(second: number): number {
  return BEGIN_MS + second * 1_000;
}

/** Returns whether a line is of a recorder or reader, of a type, about a name, and not before a second. */
export function of(who: string, type: string, name = "", fromS = 0): Is {
  return (line) => {
    const {
      uid = "",
      id = "",
      pod,
      key = {},
    } = line as { uid?: string; id?: string; pod?: { uid: string }; key?: object };
    const about = [uid, id, pod?.uid, ...Object.values(key)].join(" ");
    return line.who === who && line.type === type && about.includes(name) && line.atMs >= ms(fromS);
  };
}

export function drop(is: Is): Bend {
  return (lines) => lines.filter((line) => !is(line));
}

export function edit(is: Is, more: object): Bend {
  return (lines) => lines.map((line) => (is(line) ? ({ ...line, ...more } as At) : line));
}

export function move(is: Is, seconds: number): Bend {
  return (lines) => inOrder(lines.map((line) => (is(line) ? { ...line, atMs: line.atMs + seconds * 1_000 } : line)));
}

export function double(is: Is): Bend {
  return (lines) => inOrder([...lines, ...lines.filter(is).map((line) => ({ ...line, atMs: line.atMs + 1 }))]);
}

/** Adds lines at a second, each a millisecond after the one before. */
export function add(second: number, ...more: object[]): Bend {
  return (lines) => inOrder([...lines, ...more.map((line, i) => ({ atMs: ms(second) + i, ...line }) as At)]);
}

/** Adds a line that is like the first one of its kind, but for some of it. */
export function like(is: Is, second: number, more: object = {}): Bend {
  return (lines) => add(second, { ...lines.find(is), atMs: ms(second), ...more })(lines);
}

export function all(...bends: Bend[]): Bend {
  return (lines) => bends.reduce((bent, bend) => bend(bent), lines);
}
