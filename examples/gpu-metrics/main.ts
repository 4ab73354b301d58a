// PORT=9400 node --import tsx examples/gpu-metrics/main.ts
//
// Reads the GPUs with nvidia-smi. Without it there are no series.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Gpu, gpuMetrics } from "./agent.js";

const QUERY = ["--query-gpu=uuid,utilization.gpu", "--format=csv,noheader,nounits"];

async function readGpus(): Promise<Gpu[]> {
  try {
    const { stdout } = await promisify(execFile)("nvidia-smi", QUERY, { timeout: 5_000 });
    return stdout
      .trim()
      .split("\n")
      .map((line) => {
        const [uuid = "", percent = "0"] = line.split(",").map((cell) => cell.trim());
        return { uuid, utilization: Number(percent) / 100 };
      });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const { PORT = "9400" } = process.env;
const server = gpuMetrics({ readGpus, signal: stop.signal });
server.listen(Number(PORT), "127.0.0.1", () => console.log("listening", server.address()));
