// npm run docs: README, the pages of docs/, and a reference of every export, as files in site/. A link that leads nowhere is an error.

import { OptionDefaults } from "typedoc";

export default {
  // Of ./schema the descriptors are as many as the types, and say nothing more.
  entryPoints: [
    "src/index.ts",
    "src/testing/index.ts",
    "src/podresources/index.ts",
    "src/journal/index.ts",
    "src/sources/kubelet-http/index.ts",
    "src/otel/index.ts",
    "src/connect/index.ts",
  ],
  projectDocuments: [
    "docs/guides/*.md",
    "docs/migrate/*.md",
    "docs/*.md",
    "examples/README.md",
    "CHANGELOG.md",
    ".github/SECURITY.md",
    ".github/CONTRIBUTING.md",
  ],
  out: "site",
  // The repository has no address of its own yet that links could point to.
  disableSources: true,
  disableGit: true,
  excludeInternal: true,
  excludePrivate: true,
  headings: { readme: false },
  blockTags: [...OptionDefaults.blockTags, "@generated"],
  excludeTags: ["@generated"],
  highlightLanguages: [...OptionDefaults.highlightLanguages, "sh", "console", "go", "python", "proto", "text"],
  validation: { notExported: false },
  treatWarningsAsErrors: true,
};
