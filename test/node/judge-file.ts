// node --import tsx test/node/judge-file.ts FILE.jsonl: judges a record of the suite again.

import { readJournal } from "./journal.js";
import { judge } from "./judge.js";
import { figuresOf } from "./results.js";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("which record?");
const { problems, ...rest } = judge(await readJournal(file));
for (const { text, finding } of problems) console.log(`${finding === undefined ? "NEW" : finding}: ${text}`);
console.log(figuresOf([rest]));
process.exitCode = problems.length === 0 ? 0 : 1;
