// What the command says of what cannot be done.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { kubeletOf, passing, ran, running } from "./console.js";

describe("errors have hints, and codes of their own", () => {
  test("2 for what cannot be asked for", async (t) => {
    const kubelet = await kubeletOf(t);
    const cases: [args: string[], message: RegExp][] = [
      [["get", "-l", "app=("], /^kubelet-pods get: invalid-argument: labelSelector: "app=\(": at character 5: /],
      [
        ["get", "--field-selector", "a=b"],
        /at character 1: "a" is no field to select by\nhint: there are metadata\.name, /,
      ],
      [["get", "-n", "A"], /namespace: "A" is no namespace's name\nhint: lower-case letters/],
      [
        ["get", "-o", "custom-columns=a"],
        /^kubelet-pods get: -o custom-columns=a: not one of wide, json, yaml, name, jsonpath=TEMPLATE and mask=PATHS\n/,
      ],
      [["get", "--timeout", "soon"], /^kubelet-pods get: --timeout soon: not a duration such as 10s/],
      [["get", "--all"], /^kubelet-pods get: there is no option --all; did you mean --all-namespaces\?/],
      [["conditions", "-o", "yaml"], /^kubelet-pods conditions: -o: only json/],
      [["probe", "ledger"], /^kubelet-pods probe: Unexpected argument 'ledger'/],
    ];
    for (const [args, message] of cases) {
      const { code, output, errors } = await ran(kubelet, args);
      assert.deepEqual([code, output], [2, ""], args.join(" "));
      assert.match(errors, message);
    }
  });

  test("3 where there is no kubelet, after saying what is waited for", async (t) => {
    const socketPath = join(temporaryDirectory(t), "nobody.sock");
    for (const args of [["get"], ["get", "-w"], ["conditions"], ["conditions", "-w"]]) {
      const { code, output, errors } = await ran(socketPath, [...args, "--timeout", "700ms"], passing());
      assert.deepEqual([code, output], [3, ""]);
      const [waiting, failed, hint] = errors.split("\n");
      assert.match(
        waiting ?? "",
        /^waiting for the kubelet: socket-missing: cannot connect to .*nobody\.sock: there is no such file/,
      );
      assert.match(failed ?? "", new RegExp(`^kubelet-pods ${args[0]}: socket-missing: `));
      assert.match(hint ?? "", /^hint: is the kubelet up, with the feature gate PodsAPI/);
    }
  });

  test("a wait for an initializing kubelet ends with its pods", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.setInitializing(true);
    const { console, until, code } = running(t, kubelet, ["get", "-o", "name", "ledger-1"], passing());
    await until(({ errors }) => errors.includes("waiting for the kubelet: initializing"));
    kubelet.setInitializing(false);
    assert.deepEqual([await code, console.output], [0, "pod/ledger-1\n"]);
  });

  test("a wait for a kubelet that stands still says so", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.pause();
    const { code, errors } = await ran(kubelet, ["get", "--timeout", "800ms"], passing());
    assert.equal(code, 3);
    assert.match(errors, /^waiting for the kubelet: it has not answered yet\nkubelet-pods get: deadline: /);
  });
});
