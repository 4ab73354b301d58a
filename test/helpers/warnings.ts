// Loaded before the tests of every file: what Node.js warns of, as of too many listeners, fails the run.

process.on("warning", (warning) => {
  if (warning.name === "ExperimentalWarning") return; // of the Node.js that is tried, not of what is tested
  throw warning;
});
