// More inputs than `npm test` has.

process.env["SEQUENCES"] ??= "6000";
process.env["SCHEDULES"] ??= "3000";
process.env["SPECIFIED_LIVES"] ??= "60";
await import("./specification.test.js");
