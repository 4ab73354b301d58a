// More lives than `npm test` has: $LIVES, from $LIFE on. Whoever hunts gives another $LIFE each time.

process.env["LIVES"] ??= "1000";
process.env["LIFE"] ??= "1000";
await import("./adversary.test.js");
