// One spelling for each address: against the URL standard's and Node.js' own reading of them, and what is no address.

import assert from "node:assert/strict";
import { BlockList, isIP } from "node:net";
import { addressOf } from "../../src/lookup/address.js";
import { seededRandom } from "../../src/testing/random.js";
import { runs } from "../helpers/property.js";
import { test } from "../helpers/test.js";

test("normalizes all spellings of an address and rejects other text", () => {
  const cases: [text: string, address: string | undefined][] = [
    ["10.1.2.3", "10.1.2.3"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::ffff:10.1.2.3", "10.1.2.3"],
    ["::FFFF:10.1.2.3", "10.1.2.3"],
    ["::ffff:a01:203", "10.1.2.3"],
    ["1::ffff:a01:203", "1::ffff:a01:203"],
    ["::1:ffff:a01:203", "::1:ffff:a01:203"],
    ["0:0:0:0:0:ffff:10.1.2.3", "10.1.2.3"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:0db8::0001", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::", "::"],
    ["1::", "1::"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["64:ff9b::10.1.2.3", "64:ff9b::a01:203"],
  ];
  for (const [text, address] of cases) assert.equal(addressOf(text), address, text);
  const none = [
    "",
    "x",
    "1.2.3",
    "1.2.3.4.5",
    "1..2.3",
    ".1.2.3",
    "1.2.3.",
    "256.1.1.1",
    "010.1.2.3",
    "::ffff:010.1.2.3",
    "1.2.3.4 ",
    "+1.2.3.4",
  ];
  none.push(
    "1.2.3.4%eth0",
    "1::2::3",
    ":1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "12345::",
    "g::",
    "1.2.3.4::",
    "::1%",
    ":",
    "1".repeat(200),
  );
  for (const text of none) assert.equal(addressOf(text), undefined, text);
});

test("reads random IPv6 spellings like Node.js and the URL standard", () => {
  const { numRuns, seed } = runs(3_000);
  const random = seededRandom(seed);
  for (let i = 0; i < numRuns; i++) {
    const groups = Array.from({ length: 8 }, () => (random() < 0.5 ? 0 : Math.floor(random() * 65_536)));
    const text = groups.map((group) => group.toString(16).padStart(random() < 0.5 ? 1 : 4, "0")).join(":");
    const spelt = random() < 0.5 ? text.toUpperCase() : text;
    const address = addressOf(spelt) ?? assert.fail(spelt);
    const list = new BlockList();
    list.addAddress(address, isIP(address) === 4 ? "ipv4" : "ipv6");
    assert.ok(list.check(spelt, "ipv6"), spelt);
    if (isIP(address) === 6) assert.equal(`[${address}]`, new URL(`http://[${spelt}]/`).hostname);
    assert.equal(addressOf(address), address);
  }
});
