export type { EndRecord } from "./end-record.js";
export { type Journal, type JournalOptions, type JournalState, openJournal } from "./journal.js";
export { type JournalQuery, readJournal } from "./read-journal.js";
