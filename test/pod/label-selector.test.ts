import assert from "node:assert/strict";
import { parseLabelSelector } from "../../src/pod/label-selector.js";
import { test } from "../helpers/test.js";

const web = { app: "web", tier: "front", "example.com/owner": "shop", cores: "4", empty: "" };

const cases: [selector: string, matches: boolean][] = [
  ["", true],
  ["  \t", true],
  ["app", true],
  ["app=web", true],
  ["app==web", true],
  [" app = web ", true],
  ["app=db", false],
  ["app!=db", true],
  ["app!=web", false],
  ["nothing!=web", true],
  ["!app", false],
  ["!nothing", true],
  ["! nothing,app", true],
  ["app in (db, web)", true],
  ["app in (db)", false],
  ["nothing in (web)", false],
  ["app notin (db)", true],
  ["app notin (web,db)", false],
  ["nothing notin (web)", true],
  ["app=web,tier in (front),!legacy,example.com/owner", true],
  ["app=web,tier=back", false],
  ["app,tier=front", true],
  ["app,tier=back", false],
  ["owner,tier=front", false],
  ["cores>3", true],
  ["cores > 4", false],
  ["cores<10", true],
  ["app>1", false],
  ["nothing<1", false],
  ["cores<9223372036854775807", true],
  ["empty=", true],
  ["empty=,app", true],
  ["empty in ()", true],
  ["empty in (,a)", true],
  ["app in (a,)", false],
  ["app in (a,,web)", true],
  ["in", false],
  ["in notin (in)", true],
  ["toString", false],
  ["constructor", false],
  ["hasOwnProperty!=a", true],
];

for (const [selector, matches] of cases) {
  test(`"${selector}" ${matches ? "matches" : "does not match"}`, () => {
    assert.equal(parseLabelSelector(selector)(web), matches);
  });
}

const wrong: [selector: string, message: string][] = [
  ["app in (web", "at its end: expected , or )"],
  ["app in web", 'at character 8: expected (, found "web"'],
  ["app in (web) tier", 'at character 14: expected , or the end, found "tier"'],
  ["app=web,", "at its end: expected a label name"],
  [",app", `at character 1: expected a label name, found ","`],
  ["app=web,,tier", `at character 9: expected a label name, found ","`],
  ["app web", 'at character 5: expected =, ==, !=, in, notin, > or <, found "web"'],
  ["!app=web", 'at character 5: expected , or the end, found "="'],
  ["app=(web)", 'at character 5: expected a value, found "("'],
  ["cores>many", 'at character 7: expected a whole number after >, found "many"'],
  ["cores>5x", 'at character 7: expected a whole number after >, found "5x"'],
  ["cores>x5", 'at character 7: expected a whole number after >, found "x5"'],
  ["cores>", "at its end: expected a whole number after >"],
  ["cores>9223372036854775808", 'at character 7: expected a whole number after >, found "9223372036854775808"'],
  ["a/b/c=d", `at character 3: "b/c" is not a valid label name`],
  ["Example.com/owner", 'at character 1: "Example.com/owner" must have a DNS name before the /'],
  ["-app", `at character 1: "-app" is not a valid label name`],
  [`${"a".repeat(64)}=b`, `at character 1: "${"a".repeat(64)}" is not a valid label name`],
  ["app=_x", `at character 5: "_x" is not a valid label value`],
  ["app=a\u001b[2J", `at character 5: "a\\u001b[2J" is not a valid label value`],
];

for (const [selector, message] of wrong) {
  test(`rejects ${JSON.stringify(selector.slice(0, 30))} and names the position`, () => {
    assert.throws(
      () => parseLabelSelector(selector),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, "invalid-argument");
        assert.ok(error.message.includes(message), error.message);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
        assert.doesNotMatch(error.message, /[\u0000-\u001f]/);
        return true;
      },
    );
  });
}

test("rejects a selector of more than 10,000 characters", () => {
  assert.throws(() => parseLabelSelector("a,".repeat(6_000)), /labelSelector must have at most 10000 characters/);
});
