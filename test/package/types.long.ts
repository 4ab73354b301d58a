// The types of masks under the compilers that users have. It alone finds what one of them refuses, or takes too long for.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../helpers/pages.js";
import { root } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";

const types = join(root, "test/types");

function tsc(typescript: string, ...args: string[]): string {
  const packageJson = join(root, "node_modules", typescript, "package.json");
  const { bin } = JSON.parse(readFileSync(packageJson, "utf8")) as { bin: Record<string, string> };
  const compiler = join(root, "node_modules", typescript, bin["tsc"] ?? bin["tsc6"] ?? "");
  const { stdout, status } = spawnSync(process.execPath, [compiler, ...args], { cwd: types, encoding: "utf8" });
  assert.equal(status, 0, stdout);
  return stdout;
}

function instantiations(typescript: string, file: string): number {
  const options = [
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--strict",
    "--noEmit",
    "--skipLibCheck",
    "--types",
    "node",
  ];
  const output = tsc(typescript, ...options, "--ignoreConfig", "--extendedDiagnostics", file);
  return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]);
}

for (const [version, typescript] of [
  ["5.9", "typescript-5.9"],
  ["6", "typescript"],
  ["7", "typescript-7"],
] as const) {
  describe(`TypeScript ${version}`, () => {
    test("mask types have exactly the selected fields, and wrong paths do not compile", () => {
      tsc(typescript, "-p", ".");
    });

    test("every entry point except connect compiles without the DOM types", () => {
      tsc(typescript, "-p", "tsconfig.lean.json");
    });
  });
}

describe("in an editor", async () => {
  const { default: ts } = await import("typescript-5.9");
  const file = join(types, "in-an-editor.ts");
  const serviceFor = (text: string) => {
    const read = (path: string) => (path === file ? text : ts.sys.readFile(path));
    return ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => true,
      getScriptFileNames: () => [file],
      getScriptVersion: () => "1",
      getScriptSnapshot: (path) => {
        const content = read(path);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCurrentDirectory: () => types,
      getCompilationSettings: () => ({
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        skipLibCheck: true,
        types: ["node"],
      }),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      readFile: read,
    });
  };

  test("completes the next segment of a mask path", () => {
    /** What is proposed where `|` stands. */
    const proposed = (code: string): string[] => {
      const head = 'import { PodsClient, podMask } from "kubelet-pods"; const pods = new PodsClient();';
      const at = head.length + code.indexOf("|");
      const completions = serviceFor(`${head}${code.replace("|", "")}`).getCompletionsAtPosition(file, at, {});
      return completions?.entries.map(({ name }) => name) ?? [];
    };
    assert.deepEqual(proposed('pods.watchPods({ mask: ["|"] });'), ["metadata", "spec", "status"]);
    assert.ok(proposed('pods.listPods({ mask: ["metadata.|"] });').includes("metadata.name"));
    assert.ok(
      proposed('pods.listPods({ mask: ["status.phase", "spec.containers.im|"] });').includes("spec.containers.image"),
    );
    assert.ok(proposed('podMask("metadata.name", "status.con|");').includes("status.conditions"));
  });

  test("shows the doc comment of a field for complete and masked pods", () => {
    /** What is shown for the name before `|`. */
    const shown = (code: string): string => {
      const head = 'import { PodsClient } from "kubelet-pods"; const pods = new PodsClient(); const [pod] = await ';
      const at = head.length + code.indexOf("|") - 1;
      const info = serviceFor(`${head}${code.replace("|", "")}`).getQuickInfoAtPosition(file, at);
      return (info?.documentation ?? []).map(({ text }) => text).join("");
    };
    const restarts = "pod!.status.containerStatuses[0]!.restartCount|;";
    assert.match(shown(`pods.listPods(); ${restarts}`), /^Number of restarts\./);
    const mask = '{ mask: ["status.containerStatuses.restartCount"] }';
    assert.match(shown(`pods.listPods(${mask}); ${restarts}`), /^Number of restarts\./);
    assert.match(shown("pods.listPods(); pod!.status|;"), /^Observed state\./);
  });

  /** Returns what the compiler says of a text. */
  const problemsOf = (text: string) => {
    const service = serviceFor(text);
    const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    return found.map(({ messageText }) => messageText);
  };

  test("examples in doc comments compile", () => {
    const given = [
      'import * as agent from "kubelet-pods"; import * as testing from "kubelet-pods/testing";',
      "const { PodsClient, podsApi, podMask, podMasks, isReady, parseCgroupPath, atLeast } = agent;",
      "const { cgroupIDsOf, cgroupLayout, containersOf, decodePod, endpointsOf, logPathOf, readinessUnverifiedUntil, resourcesOf, toKubernetesJson, workloadOf } = agent;",
      "const { ReferenceKubelet, sampleNode } = testing;",
      "declare const uid: string; declare const tokenFile: string; declare const caFile: string; declare const resources: PodResourcesClient;",
      "const pods = new PodsClient();",
    ];
    const examples: string[] = [];
    /** The names that examples import, and those that they use without an import, by module. */
    const imports = new Map<string, Set<string>>([
      ["kubelet-pods/kubelet-http", new Set(["KubeletHttpClient", "kubeletHttp"])],
      ["kubelet-pods/connect", new Set(["connectSource"])],
      ["kubelet-pods/journal", new Set(["openJournal", "readJournal"])],
      [
        "kubelet-pods/podresources",
        new Set(["freeResources", "joinPodResources", "numaNodesOfCpus", "PodResourcesClient"]),
      ],
    ]);
    for (const name of readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const text = readFileSync(join(root, "src", name), "utf8");
      for (const [, code = ""] of text.matchAll(/@example\n *\* ```ts\n([\s\S]*?)```/g)) {
        const lines = code.replace(/^ *\* ?/gm, "").split("\n");
        for (const line of lines) {
          const [, names = "", module = ""] = /^import \{ (.*) \} from "(.*)";$/.exec(line) ?? [];
          if (module === "kubelet-pods") continue; // `agent` has them
          for (const name of names.split(", ").filter((name) => name !== ""))
            imports.set(module, (imports.get(module) ?? new Set()).add(name));
        }
        examples.push(`{\n${lines.filter((line) => !line.startsWith("import ")).join("\n")}\n}`);
      }
    }
    assert.ok(examples.length >= 10, `${examples.length} examples`);
    const lines = [...imports].map(([module, names]) => `import { ${[...names].join(", ")} } from "${module}";`);
    assert.deepEqual(problemsOf([...lines, ...given, ...examples].join("\n")), []);
  });

  for (const { place, code, language } of blocksOf("ts", "js")) {
    // JavaScript that users copy need not be typed in full; README's is.
    if (language === "js" && !place.startsWith("README")) continue;
    test(`the program ${place} compiles`, () => {
      assert.deepEqual(problemsOf(code), []);
    });
  }
});

test("fifty masks need fewer than 25,000 type instantiations", (t) => {
  const [without, with_] = ["without-masks.ts", "with-masks.ts"].map((file) => instantiations("typescript", file));
  const cost = (with_ ?? 0) - (without ?? 0);
  t.diagnostic(`${cost} instantiations for fifty masks, beside ${without}`);
  assert.ok(cost > 0 && cost < 25_000, `${cost} instantiations`);
});
