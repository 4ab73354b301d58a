// More inputs than `npm test` has.

process.env["SEQUENCES"] ??= "20000";
process.env["SCHEDULES"] ??= "10000";
process.env["SPECIFIED_LIVES"] ??= "200";
await import("./specification.test.js");
