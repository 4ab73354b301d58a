// Child processes of a benchmark, and their reports.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { forkModule } from "../helpers/programs.js";

/** A child process that receives messages and answers some of them. */
export class Process implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #write: (message: object) => void;
  readonly #reports: object[] = [];
  #wake: () => void = () => {};

  private constructor(child: ChildProcess, write: (message: object) => void) {
    this.#child = child;
    this.#write = write;
    child.setMaxListeners(0);
  }

  /** Starts a module of this folder, which uses the messages of Node.js. */
  static fork(file: string): Process {
    const child = forkModule(import.meta, file);
    const process = new Process(child, (message) => child.send(message));
    child.on("message", (report: object) => process.#push(report));
    return process;
  }

  /** Starts a program that reads and writes lines of JSON. */
  static spawn(program: string, args: string[], cwd?: string): Process {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], cwd });
    child.stdin.on("error", () => {}); // the exit reports the failure
    const process = new Process(child, (message) => child.stdin.write(`${JSON.stringify(message)}\n`));
    createInterface({ input: child.stdout }).on("line", (line) => process.#push(JSON.parse(line)));
    return process;
  }

  #push(report: object): void {
    this.#reports.push(report);
    this.#wake();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  send(message: object): void {
    this.#write(message);
  }

  /** Returns the next report, or throws the error that it contains. */
  async report<T>(): Promise<T> {
    for (;;) {
      const report = this.#reports.shift();
      if (report !== undefined && "error" in Object(report))
        throw new Error(String((report as { error: unknown }).error));
      if (report !== undefined) return report as T;
      const exited = once(this.#child, "exit").then(() =>
        Promise.reject(new Error("a process of the benchmark ended")),
      );
      await Promise.race([
        new Promise<void>((resolve) => {
          this.#wake = resolve;
        }),
        exited,
      ]);
    }
  }

  async ask<T>(message: object): Promise<T> {
    this.send(message);
    return this.report<T>();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Prints rows with aligned columns: the first to the left, the others to the right. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    );
  }
  console.log();
}
