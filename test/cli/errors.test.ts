// What the command says of what cannot be done.

import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
import { kubeletOf, passing, ran, running } from "./console.js";

describe("errors of commands", () => {
  test("exits with 2 for invalid arguments", async (t) => {
    const kubelet = await kubeletOf(t);
    const cases: [args: string[], message: RegExp][] = [
      [["get", "-l", "app=("], /^kubelet-pods get: invalid-argument: labelSelector: "app=\(": at character 5: /],
      [["get", "-n", "A"], /namespace must be the name of a namespace, not "A"\nhint: lower-case letters/],
      [
        ["get", "-o", "custom-columns=a"],
        /^kubelet-pods get: -o must be wide, json, yaml or name, not custom-columns=a\n/,
      ],
      [["get", "--timeout", "soon"], /^kubelet-pods get: --timeout must be a duration such as 10s/],
      [["get", "--all"], /^kubelet-pods get: unknown option --all; did you mean --all-namespaces\?/],
      [["containers", "-o", "yaml"], /^kubelet-pods containers: -o must be json/],
      [["probe", "ledger"], /^kubelet-pods probe: Unexpected argument 'ledger'/],
    ];
    for (const [args, message] of cases) {
      const { code, output, errors } = await ran(kubelet, args);
      assert.deepEqual([code, output], [2, ""], args.join(" "));
      assert.match(errors, message);
    }
  });

  test("exits with 3 without a kubelet, after a message about the wait", async (t) => {
    const socketPath = join(temporaryDirectory(t), "nobody.sock");
    for (const args of [["get"], ["get", "-w"], ["containers"], ["containers", "-w"]]) {
      const { code, output, errors } = await ran(socketPath, [...args, "--timeout", "700ms"], passing());
      assert.deepEqual([code, output], [3, ""]);
      const [waiting, failed, hint] = errors.split("\n");
      assert.match(
        waiting ?? "",
        /^waiting for the kubelet: socket-missing: cannot connect to .*nobody\.sock: there is no such file/,
      );
      assert.match(failed ?? "", new RegExp(`^kubelet-pods ${args[0]}: socket-missing: `));
      assert.match(hint ?? "", /^hint: is the kubelet running with the feature gate PodsAPI/);
    }
  });

  test("waits for an initializing kubelet and prints its pods", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.setInitializing(true);
    const { console, until, code } = running(t, kubelet, ["get", "-o", "name", "ledger-1"], passing());
    await until(({ errors }) => errors.includes("waiting for the kubelet: initializing"));
    kubelet.setInitializing(false);
    assert.deepEqual([await code, console.output], [0, "pod/ledger-1\n"]);
  });

  test("reports that a paused kubelet has not answered yet", async (t) => {
    const kubelet = await kubeletOf(t);
    kubelet.pause();
    const { code, errors } = await ran(kubelet, ["get", "--timeout", "800ms"], passing());
    assert.equal(code, 3);
    assert.match(errors, /^waiting for the kubelet: no answer yet\nkubelet-pods get: deadline: /);
  });
});

/** Habits of kubectl: the line, and whether it works or what it says to type. */
const HABITS: readonly (readonly [line: string, says: 0 | RegExp])[] = [
  ["get", 0],
  ["get pods", 0],
  ["get po", 0],
  ["get pods -A", 0],
  ["get pods --all-namespaces", 0],
  ["get pods -n shop", 0],
  ["get pods --namespace=shop", 0],
  ["get pods -o wide", 0],
  ["get pods -owide", 0],
  ["get pod ledger-1 -o yaml", 0],
  ["get pod/ledger-1 -o json", 0],
  ["get pods -l app=web", 0],
  ["get pods --selector app=web", 0],
  ["get pods --show-labels", 0],
  ["get pods --no-headers", 0],
  ["get pods -o name", 0],
  ["get pod nobody --ignore-not-found", 0],
  ["wait pod/ledger-1 --for=condition=Ready", 0],
  ["version", 0],
  ["get pods -o custom-columns=NAME:.metadata.name", /must be wide, json, yaml or name/],
  ["get pods --sort-by=.metadata.name", /unknown option --sort-by/],
  ["get nodes", /no pod nodes on this node/],
  ["exec -it ledger-1 -- sh", /unknown command exec; use crictl exec/],
  ["wait pod/ledger-1 --for=jsonpath={.status.phase}=Running", /condition=TYPE, condition=TYPE=STATUS or delete/],
  ["find 10.244.1.999", /10\.244\.1\.999 is not an IP address/],
];

describe("kubectl command lines work, or fail with an explanation", () => {
  for (const [line, says] of HABITS) {
    test(line, async (t) => {
      const { code, output, errors } = await ran(await kubeletOf(t), line.split(" "));
      if (says === 0) {
        assert.deepEqual([code, errors], [0, ""]);
        return;
      }
      assert.equal(output, "");
      assert.ok(code === 2 || (code === 1 && /no pod/.test(errors)), `${code}`);
      assert.match(errors.split("\n")[0] ?? "", says);
    });
  }

  test("finds a pod and a namespace named like a resource kind", async (t) => {
    const named = (namespace: string, name: string) => ({
      metadata: { uid: name, namespace, name },
      spec: { containers: [] },
    });
    const kubelet = await kubeletOf(t, [named("events", "web"), named("shop", "nodes")]);
    for (const words of [["events/web"], ["nodes"], ["pod/nodes"], ["shop/nodes"]]) {
      const { code, output } = await ran(kubelet, ["get", "-o", "name", ...words]);
      assert.deepEqual([code, output], [0, `pod/${words[0]?.includes("web") ? "web" : "nodes"}\n`], words[0]);
    }
  });

  test("reports a pod missing in a namespace, and a missing process", async (t) => {
    const kubelet = await kubeletOf(t);
    const elsewhere = await ran(kubelet, ["get", "ledger-1", "-n", "default"]);
    assert.deepEqual(
      [elsewhere.code, elsewhere.errors],
      [1, "kubelet-pods get: no pod ledger-1 in default on this node\n"],
    );
    const nobody = await ran(kubelet, ["find", "4194305"]);
    assert.deepEqual([nobody.code, nobody.errors], [1, "kubelet-pods find: no process 4194305 on this node\n"]);
  });
});
