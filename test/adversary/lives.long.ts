// More lives than `npm test` has, from another one on in each run: $LIVES and $LIFE.

process.env["LIVES"] ??= "2000";
process.env["LIFE"] ??= String(1_000 + Math.floor(Math.random() * 1_000_000));
console.log(`# ${process.env["LIVES"]} lives from ${process.env["LIFE"]} on`);
await import("./adversary.test.js");
