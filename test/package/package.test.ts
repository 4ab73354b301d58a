import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { CODES } from "../../src/errors/error-code.js";
import { resolveOptions } from "../../src/options.js";
import { VERSION } from "../../src/version.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { test } from "../helpers/test.js";

const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const manifest = JSON.parse(read("package.json")) as {
  version: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
};

test("package.json, VERSION and CHANGELOG.md have the same version", () => {
  assert.equal(VERSION, manifest.version);
  assert.match(read("CHANGELOG.md"), new RegExp(`^## ${VERSION.replace("-dev", "")}\\b`, "m"));
});

test("has three runtime dependencies and no install scripts", () => {
  const scripts = Object.keys(manifest.scripts);
  assert.deepEqual(
    scripts.filter((name) => /install|^prepare$|^prepublish$/.test(name)),
    [],
  );
  assert.deepEqual(Object.keys(manifest.dependencies).sort(), [
    "@bufbuild/protobuf",
    "@connectrpc/connect",
    "@connectrpc/connect-node",
  ]);
});

test("timeoutMs and maxMessageBytes have their documented defaults", () => {
  const { timeoutMs, maxMessageBytes } = resolveOptions({});
  assert.deepEqual([timeoutMs, maxMessageBytes], [10_000, 67_108_864]);
  assert.match(read("src/options.ts"), /in milliseconds\.[^/]*@default 10_000\n/);
  assert.match(read("src/options.ts"), /@default 67_108_864 \(64 MiB\)/);
});

test("error-code.ts documents every error code", () => {
  const doc = read("src/errors/error-code.ts");
  for (const code of Object.keys(CODES)) assert.ok(doc.includes(` * - \`${code}\`: `), code);
});

test("the packed package can be imported and compiled without the repository", (t) => {
  const directory = temporaryDirectory(t);
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", directory], {
    cwd: root,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, files, size, unpackedSize }] = JSON.parse(packed.toString()) as [
    { filename: string; files: { path: string }[]; size: number; unpackedSize: number },
  ];
  t.diagnostic(`${size} bytes packed, ${unpackedSize} unpacked, ${files.length} files`);
  assert.ok(size < 605_000 && unpackedSize < 2_400_000 && files.length < 400, "the package is larger than allowed");
  const strays = files
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^((dist|docs|examples|proto)\/|package\.json$|README|LICENSE|CHANGELOG|\.github\/SECURITY)/.test(path),
    );
  assert.deepEqual(strays, []);

  const has = new Set(files.map(({ path }) => path));
  const dead = [...has]
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) => {
      const links = read(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g);
      return [...links].flatMap(([, to = ""]) => (has.has(join(dirname(page), to)) ? [] : [`${page}: ${to}`]));
    });
  assert.deepEqual(dead, [], "links to files missing from the package");

  const modules = join(directory, "node_modules");
  mkdirSync(join(modules, "kubelet-pods"), { recursive: true });
  execFileSync("tar", ["xzf", join(directory, filename), "-C", join(modules, "kubelet-pods"), "--strip-components=1"]);
  for (const scope of ["@bufbuild", "@connectrpc", "@types", "undici-types"]) {
    symlinkSync(join(root, "node_modules", scope), join(modules, scope));
  }
  writeFileSync(
    join(directory, "agent.mts"),
    `import { PodsClient, type Pod, PodsError, toKubernetesJson } from "kubelet-pods";
     import { ReferenceKubelet, sampleNode } from "kubelet-pods/testing";
     const kubelet = await ReferenceKubelet.start({ pods: sampleNode() });
     const pods = new PodsClient({ socketPath: kubelet.socketPath });
     const list: Pod[] = await pods.listPods();
     const uid: string | undefined = toKubernetesJson(list[0]!).metadata?.uid ?? undefined;
     // @ts-expect-error: a pod has no such field
     list[0]?.spec?.nope;
     const code: string = await pods.getPod("nobody").then(() => "", (e: unknown) => PodsError.is(e) ? e.code : "");
     console.log(list.length, typeof uid, code);
     await pods.close();
     await kubelet.close();`,
  );
  const tsc = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--skipLibCheck",
    "--types",
    "node",
    "agent.mts",
  ];
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  execFileSync(process.execPath, [compiler, ...tsc], { cwd: directory, stdio: "inherit" });
  const output = execFileSync(process.execPath, ["agent.mjs"], { cwd: directory }).toString();
  assert.equal(output, "16 string not-found\n");
});

test("importing the main entry point loads three files and no package", () => {
  // Written at once: the thread of the hooks may end before its console has.
  const loaded = execFileSync(
    process.execPath,
    [
      "--import",
      "data:text/javascript,import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent('import { writeSync } from \"node:fs\"; export async function load(url, context, next) { writeSync(1, url + String.fromCharCode(10)); return next(url, context); }'));",
      "-e",
      "import('kubelet-pods')",
    ],
    { cwd: root },
  ).toString();
  const files = loaded.split("\n").filter((url) => url.startsWith("file:") && !url.endsWith("/[eval1]"));
  const { href } = pathToFileURL(`${root}/`);
  assert.deepEqual(
    files,
    ["index", "shared/core", "shared/errors"].map((file) => `${href}dist/${file}.js`),
  );
});

// What a bundler takes from the one file of the main entry, in bytes, minified. docs/support.md has these figures.
const BUNDLES: readonly [code: string, most: number][] = [
  ['import { parseCgroupPath } from "kubelet-pods"; console.log(parseCgroupPath("/"));', 3_000],
  ['import { attributesOf } from "kubelet-pods/otel"; console.log(attributesOf);', 17_000],
];

for (const [contents, most] of BUNDLES) {
  test(`a bundle of ${contents.split(";")[0]} has less than ${most / 1_000} kB`, async (t) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: join(root, "test") },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      write: false,
    });
    const size = outputFiles[0]?.text.length ?? Number.NaN;
    t.diagnostic(`${size} bytes`);
    assert.ok(size < most && size > most / 2);
  });
}
