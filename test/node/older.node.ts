// Every scenario on the older of the two releases: npm run test:node. test/node/README.md says what it needs.

import { playRelease } from "./suite.js";

await playRelease("older");
