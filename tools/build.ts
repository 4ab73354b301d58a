// npm run build [-- --tests]
//
// Compiles src to dist: declarations as they are, programs as one file per entry and what entries share, since each file that is
// loaded costs more than what is in it. With --tests it compiles everything to build as well, from which the tests run. A file is
// replaced in one step, and only if it differs: a program that runs from dist meanwhile never finds a file missing or half written.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { transform } from "esbuild";
import { type Plugin, rollup } from "rollup";

const root = join(import.meta.dirname, "..");
const tsc = join(root, "node_modules/typescript-7/bin/tsc");

/** Compiles a project into a directory. */
async function compile(project: string, outDir: string, ...more: string[]): Promise<void> {
  const args = [tsc, "-p", project, "--outDir", outDir, ...more];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "exit");
  if (code !== 0) process.exit(1);
}

/** Makes something in a directory of its own, and moves it to where it belongs. */
async function build(directory: string, make: (aside: string) => Promise<void>): Promise<void> {
  const aside = mkdtempSync(join(root, ".build-"));
  process.once("exit", () => rmSync(aside, { recursive: true, force: true, maxRetries: 5 }));
  await make(aside);
  replace(aside, directory);
}

/** The package `yaml` goes into a file of its own, which is loaded when YAML is read or written: nobody has to install it. */
const withYaml: Plugin = {
  name: "with yaml",
  resolveId: (id) => (id === "yaml" ? join(root, "node_modules/yaml/browser/index.js") : undefined),
  async renderChunk(code, { name }) {
    if (name !== "yaml") return null;
    const licence = readFileSync(join(root, "node_modules/yaml/LICENSE"), "utf8").trim();
    const { version } = JSON.parse(readFileSync(join(root, "node_modules/yaml/package.json"), "utf8"));
    const banner = `/*! The package yaml ${version}.\n\n${licence}\n*/`;
    return { code: (await transform(code, { minify: true, format: "esm", target: "es2022", banner })).code, map: null };
  },
};

/**
 * Says of each value at the top of a module that it may be left out where nobody uses it, so that a bundler takes from the one file of the
 * main entry what a program needs: no module does anything else when it is loaded.
 */
const withoutEffects: Plugin = {
  name: "without effects",
  renderChunk(code) {
    const isPlain = (node: unknown): boolean => {
      if (Array.isArray(node)) return node.every(isPlain);
      if (typeof node !== "object" || node === null || !("type" in node)) return true;
      if (/^(?:Call|New|Member)Expression$|^SpreadElement$/.test(String(node.type))) return false;
      return /Function|Class/.test(String(node.type)) || Object.values(node).every(isPlain);
    };
    const marks: [at: number, text: string][] = [];
    for (const statement of this.parse(code).body) {
      for (const { init } of statement.type === "VariableDeclaration" ? statement.declarations : []) {
        const { start, end } = (init ?? {}) as { start?: number; end?: number };
        // The command awaits, which a function may not, and nobody bundles it.
        if (start === undefined || end === undefined || isPlain(init) || /\bawait\b/.test(code.slice(start, end)))
          continue;
        marks.push([start, "/*@__PURE__*/(() => ("], [end, "))()"]);
      }
    }
    for (const [at, text] of marks.reverse()) code = code.slice(0, at) + text + code.slice(at);
    return { code, map: null };
  },
};

/** Writes the entries of the package, and the files that they share, from the modules in a directory. */
async function bundle(modules: string, aside: string): Promise<void> {
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.values<string | { default: string }>(exports).flatMap((entry) => {
    return typeof entry === "string" ? [] : [entry.default];
  });
  const names = [...entries, ...Object.values<string>(bin)].map((file) => relative("dist", file).replace(/\.js$/, ""));
  const made = await rollup({
    input: Object.fromEntries(names.map((name) => [name, join(modules, `${name}.js`)])),
    external: (id) => /^[^./]/.test(id) && id !== "yaml",
    plugins: [withYaml, withoutEffects],
    // What an entry does not use of a module is not read at its start either.
    treeshake: { moduleSideEffects: false },
    onwarn: ({ code, message }) => {
      // That is how the compiler's helpers ask for it; and an entry of types alone is empty.
      if (code !== "THIS_IS_UNDEFINED" && code !== "EMPTY_BUNDLE") throw new Error(message);
    },
  });
  const core = new Set<string>();
  const commands = new Set<string>();
  const { output } = await made.write({
    dir: aside,
    // One file for all that the main entry loads, but for what each command loads too, --help included.
    manualChunks: (id, { getModuleInfo }) => {
      if (id.includes("/node_modules/yaml/")) return "yaml";
      const importsOf = (id: string) => getModuleInfo(id)?.importedIds ?? [];
      if (core.size === 0) {
        reach(join(modules, "index.js"), importsOf, core);
        reach(join(modules, "cli/main.js"), importsOf, commands);
      }
      if (core.has(id)) return commands.has(id) ? "errors" : "core";
      return commands.has(id) && !id.endsWith("main.js") ? "command" : undefined;
    },
    entryFileNames: "[name].js",
    chunkFileNames: "shared/[name].js",
    hoistTransitiveImports: false,
  });
  await made.close();
  // The command awaits what it loads: a file that imported it would wait for it in turn, and the process end.
  for (const file of output) {
    if (file.type !== "chunk") continue;
    if (file.imports.includes("cli/main.js")) throw new Error(`${file.fileName} imports the command, which awaits it`);
    // The engine keeps a source that has another letter in twice the memory.
    if (/[^\0-\x7f]/.test(file.code)) throw new Error(`${file.fileName} has a letter beyond ASCII: write \\u`);
  }
}

/** Adds a module and all that it imports. */
function reach(id: string, importsOf: (id: string) => readonly string[], found: Set<string>): void {
  if (found.has(id)) return;
  found.add(id);
  for (const imported of importsOf(id)) reach(imported, importsOf, found);
}

/** The number of test files that run in one process: to start one takes as long as an average file's tests do. */
const FILES_IN_A_PROCESS = 16;

/** Writes the modules that `npm test` runs: each loads some of the files with tests, or one that looks at the whole process. */
function groupTests(aside: string): void {
  const tests = filesOf(aside)
    .filter((file) => file.endsWith(".test.js"))
    .sort();
  mkdirSync(join(aside, "groups"));
  const alone = tests.filter((file) => file.endsWith(".alone.test.js"));
  // These load the TypeScript compiler, and parse src.
  const compiling = tests.filter((file) => /"typescript"|source-text/.test(readFileSync(join(aside, file), "utf8")));
  const others = tests.filter((file) => !alone.includes(file) && !compiling.includes(file));
  const count = Math.ceil(others.length / FILES_IN_A_PROCESS);
  const groups = [...alone.map((file) => [file]), compiling];
  // No process has all heavy files of one folder.
  for (let i = 0; i < count; i++) groups.push(others.filter((_, at) => at % count === i));
  for (const [i, group] of groups.entries()) {
    const text = group.map((file) => `import "../${file}";\n`).join("");
    writeFileSync(join(aside, "groups", `${String(i + 1).padStart(2, "0")}.test.js`), text);
  }
}

function replace(aside: string, directory: string): void {
  const built = new Set(filesOf(aside));
  for (const file of built) {
    const [from, to] = [join(aside, file), join(directory, file)];
    if (existsSync(to) && readFileSync(from).equals(readFileSync(to))) continue;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  if (existsSync(directory)) for (const file of filesOf(directory)) if (!built.has(file)) rmSync(join(directory, file));
}

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

await build(join(root, "dist"), async (aside) => {
  const modules = mkdtempSync(join(root, ".build-"));
  process.once("exit", () => rmSync(modules, { recursive: true, force: true, maxRetries: 5 }));
  await Promise.all([
    compile("tsconfig.json", aside, "--emitDeclarationOnly"),
    compile("tsconfig.json", modules, "--removeComments"),
  ]);
  await bundle(modules, aside);
  chmodSync(join(aside, "cli/main.js"), 0o755);
});
// Some tests and all examples import the package by its name, which is dist.
if (process.argv.includes("--tests"))
  await build(join(root, "build"), async (aside) => {
    await compile("tsconfig.check.json", aside);
    groupTests(aside);
  });
