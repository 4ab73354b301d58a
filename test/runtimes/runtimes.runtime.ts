// npm run test:runtimes: an agent on each runtime, and through each bundler, that docs/support.md names. Installs them from npm, into a
// directory of its own.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReferenceKubelet, sampleNode } from "../../src/testing/index.js";
import { root } from "../helpers/programs.js";
import { after, describe, test } from "../helpers/test.js";

const directory = mkdtempSync(join(tmpdir(), "runtimes-"));
after(() => rmSync(directory, { recursive: true }));
const inside = (path: string) => join(directory, path);
const agent = inside("agent.mjs");

/** Runs a program in the directory, to its end. */
function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
}

const [{ filename }] = JSON.parse(
  execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", directory], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  }).toString(),
);
copyFileSync(join(import.meta.dirname, "agent.mjs"), agent);
writeFileSync(inside("package.json"), JSON.stringify({ private: true, type: "module" }));
const packages = [
  "bun",
  "deno",
  "webpack",
  "webpack-cli",
  "vite",
  "esbuild",
  "rollup",
  "@rollup/plugin-node-resolve",
  "postject",
];
// Without their scripts: what they run is in packages of the platform.
run("npm", "install", "--silent", "--ignore-scripts", "--no-audit", `./${filename}`, ...packages);

const platform = `${process.platform}-${process.arch}`;
const versionOf = (name: string) =>
  JSON.parse(readFileSync(inside(`node_modules/${name}/package.json`), "utf8")).version;

/** Runs an agent beside a kubelet, restarts that when the agent is synced, and compares what the agent has found. */
async function works(command: string, ...args: string[]): Promise<void> {
  const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
  const env = { ...process.env, KUBELET_PODS_SOCKET: kubelet.socketPath };
  const child = spawn(command, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
  try {
    let output = "";
    let errors = "";
    let restarted: Promise<void> | undefined;
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("synced")) restarted ??= kubelet.restart({ downtimeMs: 50 });
    });
    const [code] = (await once(child, "close")) as [number | null];
    await restarted;
    assert.equal(code, 0, errors);
    assert.equal(output, "synced\n16 14 web-6bf9d8c7d5-2lm8z\n", errors);
  } finally {
    child.kill("SIGKILL");
    await kubelet.close();
  }
}

describe("runtimes", () => {
  for (const version of ["20.19", "22", "24", "26"]) {
    test(`Node.js ${version}`, () => works("npx", "-y", "-p", `node@${version}`, "--", "node", agent));
  }
  test(`Bun ${versionOf("bun")}`, () => works(inside(`node_modules/@oven/bun-${platform}/bin/bun`), agent));
  test(`Deno ${versionOf("deno")}`, () => {
    return works(
      inside(`node_modules/@deno/${platform}-glibc/deno`),
      "run",
      "--allow-net",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      "--allow-sys",
      agent,
    );
  });
});

describe("bundlers, into one file that needs no package", () => {
  const bin = (name: string) => inside(`node_modules/.bin/${name}`);
  const alone = (file: string) => {
    // Where no package can be found.
    const aside = mkdtempSync(join(tmpdir(), "bundle-"));
    after(() => rmSync(aside, { recursive: true }));
    copyFileSync(inside(file), join(aside, "agent.mjs"));
    return works(process.execPath, join(aside, "agent.mjs"));
  };
  test(`esbuild ${versionOf("esbuild")}`, async () => {
    run(bin("esbuild"), agent, "--bundle", "--platform=node", "--format=esm", "--outfile=esbuild.mjs");
    await alone("esbuild.mjs");
  });
  test(`Rollup ${versionOf("rollup")}`, async () => {
    run(
      bin("rollup"),
      agent,
      "--plugin",
      "node-resolve",
      "--format",
      "es",
      "--file",
      "rollup.mjs",
      "--inlineDynamicImports",
      "--silent",
    );
    await alone("rollup.mjs");
  });
  test(`webpack ${versionOf("webpack")}`, async () => {
    const output = { path: directory, filename: "webpack.mjs", module: true, chunkFormat: "module" };
    const config = { mode: "production", target: "node20", entry: agent, output, experiments: { outputModule: true } };
    writeFileSync(inside("webpack.config.mjs"), `export default ${JSON.stringify(config)};`);
    run(bin("webpack"), "--config", "webpack.config.mjs");
    await alone("webpack.mjs");
  });
  test(`Vite ${versionOf("vite")}`, async () => {
    const build = {
      ssr: agent,
      outDir: "vite",
      target: "node20",
      rollupOptions: { output: { entryFileNames: "vite.mjs" } },
    };
    writeFileSync(inside("vite.config.mjs"), `export default ${JSON.stringify({ build, ssr: { noExternal: true } })};`);
    run(bin("vite"), "build", "--logLevel", "error");
    await alone("vite/vite.mjs");
  });
});

test("a single executable of Node.js", async () => {
  run(inside("node_modules/.bin/esbuild"), agent, "--bundle", "--platform=node", "--format=cjs", "--outfile=sea.cjs");
  const config = { main: "sea.cjs", output: "sea.blob", disableExperimentalSEAWarning: true };
  writeFileSync(inside("sea.json"), JSON.stringify(config));
  run(process.execPath, "--experimental-sea-config", "sea.json");
  copyFileSync(process.execPath, inside("agent"));
  const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"; // as the page of Node.js on single executables says
  run(inside("node_modules/.bin/postject"), "agent", "NODE_SEA_BLOB", "sea.blob", "--sentinel-fuse", fuse);
  await works(inside("agent"));
});
