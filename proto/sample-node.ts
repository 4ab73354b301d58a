// npm run generate: writes src/gen/sample-node.ts from the pods of src/testing/sample-node.json, as one text: Node.js 20 warns who imports
// JSON, and a text is parsed when somebody asks for it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./field-table.js";

const pods: unknown = JSON.parse(readFileSync(join(root, "src/testing/sample-node.json"), "utf8"));
writeFileSync(
  join(root, "src/gen/sample-node.ts"),
  `// Written by proto/sample-node.ts: change src/testing/sample-node.json, not this file.

/** The pods of a small node, as JSON. */
export const SAMPLE_NODE: string =
  ${JSON.stringify(JSON.stringify(pods))};
`,
);
