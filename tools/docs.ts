// npm run docs [-- --out DIRECTORY]
//
// Writes the site: README and the pages of docs/, and a reference of every export from its doc comments. The files need no server: open
// site/index.html. A link that leads nowhere, and a name that nobody explains, end it with an error.

import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  Application,
  type CommentDisplayPart,
  Converter,
  type DeclarationReflection,
  type DocumentReflection,
  OptionDefaults,
  PageEvent,
  Reflection,
  RendererEvent,
  type TypeDocOptions,
} from "typedoc";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "site") } } });

/**
 * The entries of the package, but for `kubelet-pods/schema`: its descriptors are as many as the types, and say nothing more. The first
 * comment of each has the name by which it is imported.
 */
const ENTRIES: readonly string[] = [
  "src/index.ts",
  "src/types.ts",
  "src/sources/index.ts",
  "src/testing/index.ts",
  "src/podresources/index.ts",
  "src/sources/kubelet-http/index.ts",
  "src/otel/index.ts",
  "src/connect/index.ts",
];

/** The pages by group, in the order in which the site has them. A page is called as its first heading is. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Guides: [
    "docs/guides/first-agent.md",
    "docs/guides/deploy.md",
    "docs/guides/calls.md",
    "docs/guides/masks.md",
    "docs/guides/watch.md",
    "docs/guides/retries.md",
    "docs/guides/informer.md",
    "docs/guides/containers.md",
    "docs/guides/devices.md",
    "docs/guides/older-kubelets.md",
    "docs/guides/other-libraries.md",
    "docs/guides/connect.md",
    "docs/guides/testing.md",
    "docs/guides/operating.md",
    "docs/guides/command.md",
    "docs/guides/questions.md",
  ],
  Recipes: [
    "docs/recipes/enricher.md",
    "docs/recipes/security.md",
    "docs/recipes/opentelemetry.md",
    "docs/recipes/readiness.md",
    "docs/recipes/gpu.md",
    "docs/recipes/cni.md",
    "examples/README.md",
  ],
  "Moving here": [
    "docs/migrate/make-informer.md",
    "docs/migrate/polling-pods.md",
    "docs/migrate/go-informers.md",
    "docs/migrate/hand-made-clients.md",
    "docs/migrate/from-0.3.md",
  ],
  Facts: ["docs/support.md", "docs/kubelet.md", "docs/faults.md", "docs/upstream.md"],
  "How it works": ["docs/watch.md", "docs/lookups.md", "docs/containers.md", "docs/journal.md", "docs/architecture.md"],
  Project: ["CHANGELOG.md", ".github/SECURITY.md", ".github/CONTRIBUTING.md"],
};

const app = await Application.bootstrap({
  name: "kubelet-pods",
  includeVersion: true,
  entryPoints: ENTRIES.map((file) => join(root, file)),
  tsconfig: join(root, "tsconfig.json"),
  readme: join(root, "README.md"),
  projectDocuments: Object.values(GROUPS)
    .flat()
    .map((page) => join(root, page)),
  sortEntryPoints: false,
  sort: ["kind", "instance-first", "alphabetical-ignoring-documents"],
  groupOrder: [...Object.keys(GROUPS), "Reference", "*"],
  navigation: { includeGroups: true, includeCategories: false, compactFolders: false },
  searchInDocuments: true,
  searchInComments: true,
  // A guide says more of a word than a member that has it in its comment.
  searchGroupBoosts: { Guides: 20, Recipes: 8, "Moving here": 4, Facts: 4, "How it works": 2, Project: 0.1 },
  markdownItOptions: { html: true, linkify: false },
  // The repository has no address of its own yet that links could point to.
  disableSources: true,
  disableGit: true,
  excludeInternal: true,
  excludePrivate: true,
  hideGenerator: true,
  headings: { readme: false },
  githubPages: true,
  cleanOutputDir: true,
  highlightLanguages: ["ts", "js", "sh", "yaml", "json", "proto", "text", "console", "go", "python"],
  blockTags: [...OptionDefaults.blockTags, "@generated"],
  excludeTags: ["@generated"],
  customCss: join(root, "docs/site/site.css"),
  customJs: join(root, "docs/site/site.js"),
  favicon: join(root, "docs/site/icon.svg"),
  validation: { invalidLink: true, invalidPath: true, notExported: false, notDocumented: false, rewrittenLink: true },
  treatWarningsAsErrors: true,
} satisfies Partial<TypeDocOptions>);

let pages = 0;
const groups = Object.entries(GROUPS).flatMap(([group, files]) => files.map(() => group));
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context: unknown, document: DocumentReflection) => {
  document.content = withFiles(document.content);
  const text = document.content.map((part) => part.text).join("");
  document.name = /^# (.*)$/m.exec(text)?.[1] ?? document.name;
  document.frontmatter["group"] = groups[pages++];
});

/** Puts the text of a file in the place of a link to it that stands alone on its line. */
function withFiles(parts: readonly CommentDisplayPart[]): CommentDisplayPart[] {
  const made = parts.map((part) => ({ ...part }));
  for (const [i, part] of made.entries()) {
    const [before, after] = [made[i - 1], made[i + 1]];
    const [, path = "", language = ""] = /^(?:\.\.\/)+((?:examples|proto)\/.*\.(ts|yaml|proto))$/.exec(part.text) ?? [];
    const label = `\n\n[${path}](`;
    if (path === "" || !before?.text.endsWith(label) || !/^\)(?:\n|$)/.test(after?.text ?? "")) continue;
    before.text = `${before.text.slice(0, -label.length)}\n\n**${path}**\n\n`;
    if (after !== undefined) after.text = after.text.slice(1);
    made[i] = { kind: "code", text: `~~~${language}\n${readFileSync(join(root, path), "utf8")}~~~` };
  }
  return made;
}

/** Exports, and methods that only one of two classes has. A page links to them where it names one as code. */
const exported = new Map<string, DeclarationReflection>();
const methods = new Map<string, DeclarationReflection | undefined>();
app.renderer.on(RendererEvent.BEGIN, ({ project }: RendererEvent) => {
  for (const module of project.children ?? []) {
    for (const child of module.children ?? []) if (!exported.has(child.name)) exported.set(child.name, child);
  }
  for (const owner of ["PodsClient", "PodInformer"]) {
    for (const method of exported.get(owner)?.children ?? []) {
      methods.set(method.name, methods.has(method.name) ? undefined : method); // both have it: which one is meant is not known
    }
  }
});

app.renderer.on(PageEvent.END, (page: PageEvent) => {
  if (page.contents === undefined) return;
  page.contents = page.contents
    // Opened from a disk, a page may not take icons from another file; each page has them itself already.
    .replaceAll(/href="[^"]*\bicons\.svg#/g, 'href="#')
    // Screen readers can jump to the content.
    .replaceAll('<div class="page-menu">', '<div class="page-menu" role="navigation" aria-label="On this page">')
    .replaceAll('<div class="col-content">', '<div class="col-content" role="main">')
    // Browsers show .txt. They take .ts for a film, and save .md.
    .replaceAll(/href="([^"]*\bmedia\/[^"]*\.(?:ts|yaml|proto|md))"/g, 'href="$1.txt"');
  const { router } = app.renderer;
  const { model } = page;
  if (!(model instanceof Reflection) || !(model.isDocument() || model.isProject())) return;
  page.contents = page.contents.replaceAll(
    /<a\b[^>]*>[\s\S]*?<\/a>|<code>(\w+)(\([^<]*\))?<\/code>/g,
    (text, name = "", call?: string) => {
      const target = exported.get(name) ?? (call === undefined ? undefined : methods.get(name));
      if (target === undefined || router === undefined) return text;
      return `<a href="${router.relativeUrl(model, target)}">${text}</a>`;
    },
  );
});

app.renderer.on(RendererEvent.END, () => {
  const media = join(values.out, "media");
  for (const name of readdirSync(media)) {
    if (/\.(?:ts|yaml|proto|md)$/.test(name)) renameSync(join(media, name), join(media, `${name}.txt`));
  }
});

const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
await app.generateDocs(project, values.out);
if (app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
