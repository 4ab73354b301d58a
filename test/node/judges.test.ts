// The judges of the node's suite find what is wrong: a record that is well passes, and each that is bent fails.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, fromBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { podMask } from "../../src/index.js";
import { kubeletAndClient } from "../helpers/kubelet.js";
import { root } from "../helpers/programs.js";
import { describe, test } from "../helpers/test.js";
import { add, edit, like, move, ms, of } from "./bends.js";
import { BENT } from "./bent-records.js";
import { briefOf } from "./brief.js";
import { contentOf, MASKS } from "./content.js";
import type { At, RawLine } from "./journal.js";
import { compareJson, isKnown, KNOWN_DIFFERENCES } from "./json.js";
import { judge } from "./judge.js";
import { RawRecord } from "./raw-record.js";
import { compareStories, wordsOf } from "./stories.js";
import { idOf, uidOf, wellRecord } from "./well-record.js";

const well = wellRecord();

describe("judge()", () => {
  test("finds no problem and nothing pending in a correct record", () => {
    const { problems, open, deletions, lives } = judge(well);
    assert.deepEqual(problems, []);
    assert.deepEqual([open, deletions, lives], [0, 13, { runs: 6, "still running": 3, "ended with an exit code": 3 }]);
  });

  for (const [what, bend, found, finding] of BENT) {
    test(`finds ${what}${finding === undefined ? "" : ` [${finding}]`}`, () => {
      const bent = bend([...well]);
      assert.notDeepEqual(bent, well, "it is not bent");
      const { problems } = judge(bent);
      const [problem] = problems.filter(({ text }) => found.test(text.replace(/^\d\d:\d\d:\d\d\.\d{3} /, "")));
      assert.ok(problem !== undefined, `not found among: ${problems.map(({ text }) => text).join("; ")}`);
      assert.equal(problem.finding, finding);
    });
  }

  test("counts expectations that are not due yet as open, not as problems", () => {
    const [ended] = well.filter((line) => line.who === "live" && line.type === "DELETED");
    const { problems, open } = judge(well.filter(({ atMs }) => atMs < (ended?.atMs ?? 0)));
    assert.deepEqual(problems, []);
    assert.ok(open > 0);
  });

  test("treats a list requested before an event as older, even if it arrives later", () => {
    const is = of("raw", "MODIFIED", uidOf("next"));
    const event = well.find(is) as At<RawLine>;
    const before = well.find((line) => of("raw", "ADDED", uidOf("next"))(line)) as At<RawLine>;
    const list = { who: "raw", type: "LIST", set: [before.pod], gone: [] };
    const at = (event.atMs - ms(0)) / 1_000 + 0.005;
    const stale = add(
      at,
      { ...list, askedMs: event.atMs - 10 },
      { ...list, askedMs: event.atMs + 1, set: [event.pod] },
    );
    assert.deepEqual(judge(stale([...well])).problems, []);
  });

  test("allows a removed static pod to stay only after a standalone start of 1.36", () => {
    const late = (version: string) => {
      const bent = [
        add(200, { who: "raw", type: "END", why: "14: it was killed" }),
        add(201, { who: "stage", type: "NOTE", text: `start ${version} ` }),
        add(202, { who: "raw", type: "LIST", set: [], gone: [uidOf("host")] }),
      ].reduce(
        (lines, bend) => bend(lines),
        well.filter(({ who }) => who !== "api"),
      );
      return judge(bent).problems.filter(({ text }) => /live: .*host.* is gone since/.test(text)).length;
    };
    assert.deepEqual([late("1.36.4"), late("1.37.1")], [0, 1]);
  });

  test("accepts late events while the process got no CPU time", () => {
    const late = move(of("live", "MODIFIED", uidOf("loop"), 100), 30);
    assert.notDeepEqual(judge(late([...well])).problems, []);
    const starved = { who: "stage", type: "STARVED", fromMs: ms(99), toMs: ms(129) };
    assert.deepEqual(judge(add(129, starved)(late([...well]))).problems, []);
  });

  test("accepts content that the recorder notes seconds later while the process got no CPU time", () => {
    const texts = (lateS: number, starvedS = 0) => {
      const { pod } = well.findLast(of("raw", "MODIFIED", uidOf("loop"))) as At<RawLine>;
      const [uid, name, content] = [uidOf("loop"), "shop/loop", "m2.s2.t2"];
      const starved = { who: "stage", type: "STARVED", fromMs: ms(150), toMs: ms(150 + starvedS) };
      const bent = [
        add(150, { who: "live", type: "MODIFIED", uid, name, content }),
        ...(starvedS > 0 ? [add(150 + starvedS, starved)] : []),
        add(150 + lateS, {
          who: "raw",
          type: "MODIFIED",
          pod: { ...pod, contents: { ...pod.contents, whole: content } },
        }),
      ].reduce((lines, bend) => bend(lines), [...well]);
      return judge(bent).problems.filter(({ text }) => /live: MODIFIED .*loop .*status, .*did not send then/.test(text))
        .length;
    };
    assert.deepEqual([texts(2), texts(5), texts(5, 4), texts(10, 9)], [0, 1, 0, 1]);
  });

  test("accepts an address for a second after the kubelet took it away", () => {
    const texts = (agoS: number) => {
      const { pod } = well.findLast(of("raw", "MODIFIED", uidOf("loop"))) as At<RawLine>;
      const asked = well.find(of("lookup", "byIP")) as At;
      const bent = [
        add(120, { who: "cni", type: "FREE", ip: "10.0.0.4" }),
        add(163 - agoS, { who: "raw", type: "MODIFIED", pod: { ...pod, ips: ["10.0.0.9"] } }),
        add(163, { ...asked, atMs: ms(163), askedMs: ms(163) }),
      ].reduce((lines, bend) => bend(lines), [...well]);
      return judge(bent).problems.filter(({ text }) => /byIP 10\.0\.0\.4: answered uid-loop/.test(text)).length;
    };
    assert.deepEqual([texts(0.5), texts(1.5)], [0, 1]);
  });

  test("accepts that a process is not found for three seconds before the stamp of its exit", () => {
    const texts = (exitS: number) => {
      const bent = [
        edit(of("lookup", "processIdentity"), { answer: undefined }),
        add(exitS, { who: "runtime", type: "exit", id: idOf("next"), exitCode: 0, happenedMs: ms(exitS) }),
      ].reduce((lines, bend) => bend(lines), [...well]);
      return judge(bent).problems.filter(({ text }) => /processIdentity \d+: found nothing/.test(text)).length;
    };
    assert.deepEqual([texts(74), texts(75)], [0, 1]);
  });

  test("accepts metadata of a rejected pod that only a list had, and no other content", () => {
    const texts = (phase: string, content: string) => {
      const { pod } = well.find(of("raw", "ADDED", uidOf("next"))) as At<RawLine>;
      const [uid, name] = ["uid-rejected", "shop/rejected"];
      const contents = { whole: "m.s.t", readiness: "m..t" };
      const bent = [
        add(30, { who: "raw", type: "ADDED", pod: { ...pod, uid, name, phase, contents } }),
        add(30.1, { who: "all", type: "ADDED", uid, name, content: contents.whole }),
        add(80, { who: "all", type: "MODIFIED", uid, name, content }),
      ].reduce((lines, bend) => bend(lines), [...well]);
      return judge(bent).problems.filter(({ text }) => /all: MODIFIED shop\/rejected .*did not send$/.test(text))
        .length;
    };
    assert.deepEqual([texts("Failed", "m2.s.t"), texts("Failed", "m.s.t2"), texts("Pending", "m2.s.t")], [0, 1, 1]);
  });

  test("accepts a last known pod for a new reader only soon after an outage began", () => {
    const told = (toldS: number, isFirst: boolean, sinceS?: number) => {
      const { pod } = well.findLast(of("raw", "MODIFIED", uidOf("next"))) as At<RawLine>;
      const joined = well.filter(
        (line) => !(line.who === "snapshots" && (isFirst || ("uid" in line && line.uid === uidOf("next")))),
      );
      const bent = [
        add(200, { who: "raw", type: "END", why: "14: it was killed" }),
        add(201, { who: "raw", type: "LIST", set: [], gone: [uidOf("next")] }),
        ...(sinceS === undefined
          ? []
          : [
              add(sinceS, {
                who: "raw",
                type: "MODIFIED",
                pod: { ...pod, contents: { whole: "m.s.t", readiness: "m..t" } },
              }),
            ]),
        like(of("live", "MODIFIED", uidOf("next")), toldS, { who: "snapshots", type: "ADDED" }),
      ].reduce((lines, bend) => bend(lines), joined);
      return judge(bent).problems.filter(({ text }) => /snapshots: ADDED shop\/next .* did not send then/.test(text))
        .length;
    };
    assert.equal(told(229, true), 0);
    assert.ok(told(280, true) > 0, "long after the outage began");
    assert.ok(told(229, false) > 0, "to a reader that received other pods before the outage");
    assert.ok(told(229, true, 215) > 0, "after the kubelet has sent a newer state");
  });

  test("expects no run of a pod that was deleted during an outage", () => {
    const away = (untilS: number) => {
      const untold = well.filter((line) => !(line.who === "lives" && "id" in line && line.id === idOf("web")));
      const bent = add(untilS, { who: "lives", type: "SYNCED" })(
        add(9, { who: "lives", type: "DISCONNECTED" })(untold),
      );
      return judge(bent).problems.filter(({ text }) => /web main .* its life: not told/.test(text)).length;
    };
    assert.equal(away(64), 0, "the object is removed at 63.5 s, and a list at 64.75 s lacks it");
    assert.equal(away(30), 1);
  });

  test("counts lookups and latencies of the record", () => {
    const { lookups, latencies } = judge(well);
    const counts = { asked: 5, right: 3, confirmed: 0, reported: 2, likely: 0, near: 1, none: 1, missed: 0, wrong: 0 };
    assert.deepEqual(lookups["find by address, at"], { ...counts, asked: 4, right: 2 });
    assert.deepEqual(latencies.waitFor, [200]);
  });
});

describe("independence of the judge", () => {
  const judges = [
    "bounds",
    "brief",
    "columns",
    "content",
    "explain",
    "journal",
    "json",
    "judge",
    "judge-file",
    "lives",
  ];
  const more = [
    "lookups",
    "results",
    "rules",
    "told",
    "truth",
    "verdict",
    "raw-record",
    "well-record",
    "bends",
    "bent-records",
  ];

  test("no file of the judge imports from src, except generated types", () => {
    const allowed = new Set([...judges, ...more].map((name) => `./${name}.js`));
    for (const name of [...judges, ...more]) {
      const text = readFileSync(join(root, "test/node", `${name}.ts`), "utf8");
      for (const [, from = ""] of text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
        const isGenerated = from.startsWith("../../src/gen/") && from.endsWith("_pb.js");
        const isForeign = !from.startsWith(".");
        assert.ok(isGenerated || isForeign || allowed.has(from), `${name}.ts imports ${from}`);
      }
    }
  });

  test("every file of the folder is listed as part of the judge or as another", () => {
    const others = [
      "agent",
      "api-record",
      "cost",
      "ends",
      "keep-fixtures",
      "judges.test",
      "lease-record",
      "live-node",
      "newer.node",
      "older.node",
    ];
    const rest = [
      "journals",
      "pod-ends",
      "prober",
      "rules-agent",
      "runtime-record",
      "scenarios",
      "stage",
      "stories",
      "suite",
      "upstream.node",
    ];
    const files = readdirSync(join(root, "test/node")).filter((file) => file.endsWith(".ts"));
    const named = [...judges, ...more, ...others, ...rest].map((name) => `${name}.ts`);
    assert.deepEqual(files.sort(), named.sort());
  });
});

describe("contentOf() and briefOf()", () => {
  const pod = (
    more: { seen?: string; labels?: string; emptyDir?: object; seconds?: bigint; hostNetwork?: boolean } = {},
  ) => {
    const { seen = "1", labels = "one", emptyDir = {}, seconds = 5n, hostNetwork = true } = more;
    return create(PodSchema, {
      metadata: {
        uid: "u",
        name: "n",
        namespace: "s",
        annotations: { "kubernetes.io/config.seen": seen },
        labels: { judge: labels },
      },
      spec: { hostNetwork, volumes: [{ name: "v", volumeSource: { emptyDir } }] },
      status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }], startTime: { seconds, nanos: 0 } },
    });
  };

  test("return the same for pods of the library and of protobuf-es, whole and masked", async (t) => {
    const { kubelet, pods } = await kubeletAndClient(t);
    const uid = "7d3ab1c0-1c3b-4e6c-8f3e-0a1b2c3d4e5f";
    kubelet.addPod({
      metadata: { uid, name: "web", namespace: "shop" },
      spec: { containers: [{ name: "main", image: "i" }] },
    });
    kubelet.startPod(uid);
    const recorder = new RawRecord(kubelet.socketPath, { write() {} });
    const bytes = (await recorder.list()).get(uid) ?? new Uint8Array();
    await recorder.close();
    const { contents } = briefOf(fromBinary(PodSchema, bytes));
    assert.equal(contentOf(await pods.getPod(uid)), contents.whole);
    assert.equal(contentOf(await pods.getPod(uid, { mask: podMask(...MASKS.readiness) })), contents.readiness);
  });

  test("change a part with its fields, and none with config.seen", () => {
    const changed = (more: Parameters<typeof pod>[0]) => {
      const [before, after] = [contentOf(pod()).split("."), contentOf(pod(more)).split(".")];
      return before.map((part, i) => part !== after[i]);
    };
    assert.deepEqual(changed({ seen: "2" }), [false, false, false]);
    assert.deepEqual(changed({ labels: "two" }), [true, false, false]);
    assert.deepEqual(changed({ emptyDir: { medium: "Memory" } }), [false, true, false]);
    assert.deepEqual(changed({ seconds: 6n }), [false, false, true]);
  });

  test("return no addresses for a pod on the host network", () => {
    assert.deepEqual(briefOf(pod()).ips, []);
    assert.deepEqual(briefOf(pod({ hostNetwork: false })).ips, ["10.0.0.1"]);
  });
});

describe("compareJson()", () => {
  const metadata = { namespace: "n", name: "a" };
  const list = (more: object, meta: object = {}) =>
    JSON.stringify({ items: [{ metadata: { ...metadata, ...meta }, spec: {}, ...more }] });
  const mirror = { annotations: { "kubernetes.io/config.mirror": "h" } };
  const differences = (kubectl: string, ours: string) => compareJson(kubectl, ours, kubectl, 1).differences;

  test("reports different values and missing keys, and knows expected differences", () => {
    const other = differences(list({ status: { phase: "Running" } }), list({ status: { podIP: "1.2.3.4" } }));
    assert.deepEqual(
      other.map(({ path }) => path),
      [".status.phase", ".status.podIP"],
    );
    assert.ok(other.every((difference) => !isKnown(difference)));
    const empty = differences(list({ spec: { volumes: [{ emptyDir: {} }] } }), list({ spec: { volumes: [{}] } }));
    assert.deepEqual(
      empty.map(({ path }) => path),
      [".spec.volumes[0].emptyDir"],
    );
    const aged = differences(
      list({}, { resourceVersion: "2", uid: "x" }),
      list({}, { resourceVersion: "1", uid: "y" }),
    );
    assert.deepEqual(
      aged.map((each) => [each.path, isKnown(each)]),
      [
        [".metadata.resourceVersion", true],
        [".metadata.uid", false],
      ],
    );
    const statics = differences(list({}, { ...mirror, uid: "x" }), list({}, { uid: "h" }));
    assert.deepEqual(statics.map(isKnown), [true, true]);
  });

  test("docs/kubelet.md lists exactly the keys that are known to differ", () => {
    const text = readFileSync(join(root, "docs/kubelet.md"), "utf8");
    const section = text.slice(text.indexOf("## Keys that differ from"), text.indexOf("## Containers"));
    const documented = [...section.matchAll(/^\| `([^`]+)` +\| (all|static) /gm)].map(
      ([, path, of]) => `.${path} ${of}`,
    );
    assert.deepEqual(documented.sort(), KNOWN_DIFFERENCES.map(({ path, of }) => `${path} ${of}`).sort());
  });
});

describe("compareStories() and wordsOf()", () => {
  const NODE = [
    "ADDED Pending W0:ContainerCreating",
    "MODIFIED Running R0",
    "MODIFIED Succeeded T0:Completed",
    "DELETED",
  ];

  test("accept only an ordered subset of the kubelet's events", () => {
    assert.deepEqual(compareStories(NODE, NODE), []);
    assert.deepEqual(compareStories(NODE, ["ADDED Pending W0:ContainerCreating", "DELETED"]), []);
    assert.equal(compareStories(NODE, ["ADDED Pending ", "MODIFIED Running R0"]).length, 1);
    assert.equal(compareStories(NODE, ["DELETED", "MODIFIED Running R0"]).length, 1);
    const instead = { "MODIFIED Running T0": "MODIFIED Running R0" };
    assert.deepEqual(compareStories(NODE, ["MODIFIED Running T0", "DELETED"], instead), []);
    assert.equal(compareStories(NODE, ["MODIFIED Running T0", "DELETED"]).length, 1);
  });

  test("return the recorded events of one pod without repetitions", () => {
    const doubled = well.flatMap((line): At[] => (line.type === "MODIFIED" ? [line, line] : [line]));
    assert.deepEqual(wordsOf(doubled, "shop/job"), [
      "ADDED Pending ",
      "MODIFIED Running R0",
      "MODIFIED Succeeded T0",
      "DELETED",
    ]);
  });
});
