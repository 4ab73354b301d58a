// Measured values, printed as tables and as JSON.

import { median, printTable } from "./processes.js";

export interface Figure {
  figure: string;
  unit: string;
  client: string;
  /** Number of pods of the node. */
  pods?: number;
  median: number;
  min: number;
  max: number;
  rounds: number;
}

interface Measured {
  figure: string;
  unit: string;
  client: string;
  pods: number | undefined;
  values: number[];
}

export class Figures {
  readonly #all = new Map<string, Measured>();

  add(figure: string, unit: string, client: string, pods: number | undefined, value: number | undefined): void {
    if (!Number.isFinite(value)) return; // the client does not measure it
    const key = JSON.stringify([figure, client, pods]);
    const measured = this.#all.get(key) ?? { figure, unit, client, pods, values: [] };
    measured.values.push(value as number);
    this.#all.set(key, measured);
  }

  /** NaN if there is no value. */
  median(figure: string, client: string, pods?: number): number {
    return median(this.#all.get(JSON.stringify([figure, client, pods]))?.values ?? []);
  }

  /**
   * Prints a row for each client: the median, the lowest and the highest value of each figure, and the ratio to the first client, which is
   * the lower limit.
   */
  print(title: string, clients: readonly string[], figures: readonly string[], pods?: number): void {
    const of = (client: string) => figures.map((figure) => this.#all.get(JSON.stringify([figure, client, pods])));
    const limits = of(clients[0] ?? "");
    const rows = clients.filter((client) => of(client).some((measured) => measured !== undefined));
    const units = figures.map((_, i) => rows.map((client) => of(client)[i]?.unit).find((unit) => unit !== undefined));
    console.log(pods === undefined ? title : `${title}, ${pods} pods`);
    printTable([
      ["", ...figures.map((figure, i) => (units[i] ? `${figure}, ${units[i]}` : figure))],
      ...rows.map((client) => [client, ...of(client).map((measured, i) => cell(measured, limits[i]))]),
    ]);
  }

  toJSON(): Figure[] {
    return [...this.#all.values()].map(({ figure, unit, client, pods, values }) => ({
      figure,
      unit,
      client,
      ...(pods === undefined ? {} : { pods }),
      median: median(values),
      min: Math.min(...values),
      max: Math.max(...values),
      rounds: values.length,
    }));
  }
}

function cell(measured: Measured | undefined, limit: Measured | undefined): string {
  if (measured === undefined) return "-";
  const floor = median(limit?.values ?? []);
  // A ratio to a value near zero means nothing.
  const times = limit === measured || !(floor > 0.1) ? "" : ` ${short(median(measured.values) / floor)}x`;
  const { values } = measured;
  const [least, most] = [Math.min(...values), Math.max(...values)].map(short);
  return (least === most ? short(median(values)) : `${short(median(values))} (${least}..${most})`) + times;
}

/** Formats a number with three significant digits. */
export function short(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toFixed(Math.min(digits, 2));
}
