// What the command says of what cannot be done.

import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";
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
        /^kubelet-pods get: -o custom-columns=a: not one of wide, json, yaml, name, jsonpath=TEMPLATE and mask=PATHS; instead: .*\n/,
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
  ["get pods --field-selector status.phase=Running", 0],
  ["get pods --show-labels", 0],
  ["get pods --no-headers", 0],
  ["get pods -o name", 0],
  ["get pod nobody --ignore-not-found", 0],
  ["get pods -o jsonpath={.items[*].metadata.name}", 0],
  ["describe pod ledger-1", 0],
  ["wait pod/ledger-1 --for=condition=Ready", 0],
  ["version", 0],
  ["get pods -o custom-columns=NAME:.metadata.name", /instead: -o jsonpath=, or -o json \| jq -r/],
  ["get pods -o go-template={{.}}", /instead: -o jsonpath=TEMPLATE/],
  ["get pods --sort-by=.metadata.name", /no option --sort-by; instead: \| sort/],
  ["get pods -L app", /no option -L; instead: --show-labels/],
  ["get pods --context prod", /no option --context; instead: there is one kubelet here/],
  ["get pods --kubeconfig x", /no API server is asked/],
  ["get pods --request-timeout 5s", /instead: --timeout/],
  ["get pods -f pod.yaml", /instead: names of pods/],
  ["get nodes", /no pod nodes on this node; a kubelet has pods alone, instead: kubectl get/],
  ["get svc", /no pod svc on this node; a kubelet has pods alone/],
  ["get deployments.apps", /a kubelet has pods alone/],
  ["describe node/node-1", /a kubelet has pods alone/],
  ["exec -it ledger-1 -- sh", /no command exec; instead: crictl exec/],
  ["top pods", /instead: crictl stats/],
  ["events", /instead: kubelet-pods get -w/],
  ["delete pod ledger-1", /nothing is written here: kubectl delete/],
  ["port-forward ledger-1 8080", /instead: crictl port-forward/],
  ["cp a b", /instead: kubectl cp/],
  ["explain pod", /instead: kubectl explain pod/],
  ["wait pod/ledger-1 --for=jsonpath={.status.phase}=Running", /instead: --for condition=NAME/],
  ["find 10.244.1.999", /10\.244\.1\.999 is no address/],
];

describe("kubectl's habits work, or end with a line that says what to type", () => {
  for (const [line, says] of HABITS) {
    test(line, async (t) => {
      const { code, output, errors } = await ran(await kubeletOf(t), line.split(" "));
      if (says === 0) {
        assert.deepEqual([code, errors], [0, ""]);
        return;
      }
      assert.equal(output, "");
      assert.ok(code === 2 || (code === 1 && /there is no pod/.test(errors)), `${code}`);
      assert.match(errors.split("\n")[0] ?? "", says);
    });
  }

  test("containers POD shows the ID that exec sends for", async (t) => {
    const kubelet = await kubeletOf(t);
    for (const line of ["exec ledger-1"]) {
      assert.match((await ran(kubelet, line.split(" "))).errors, /kubelet-pods containers POD shows its ID/);
    }
    const { output } = await ran(kubelet, ["containers", "ledger-1"]);
    assert.match(output, /ID *\n.*ledger .* [0-9a-f]{13}/);
  });

  test("a pod, and a namespace, that bear the name of a kind are found", async (t) => {
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

  test("a pod of another namespace, and a process that is not there, are said to be so", async (t) => {
    const kubelet = await kubeletOf(t);
    const elsewhere = await ran(kubelet, ["get", "ledger-1", "-n", "default"]);
    assert.deepEqual(
      [elsewhere.code, elsewhere.errors],
      [1, "kubelet-pods get: there is no pod ledger-1 in default on this node\n"],
    );
    const nobody = await ran(kubelet, ["find", "4194305"]);
    assert.deepEqual([nobody.code, nobody.errors], [1, "kubelet-pods find: there is no process 4194305 here\n"]);
  });
});
