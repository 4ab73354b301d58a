// What the client decides is the same with every mask: it decides by the fields that it reads itself.

import assert from "node:assert/strict";
import { type PodJson, podMask } from "../../src/index.js";
import { HEAD_MASK } from "../../src/pod/head.js";
import { bytesOf, eventsOf, ScriptedNode } from "../helpers/scripted-node.js";
import { describe, type TestContext, test } from "../helpers/test.js";

const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended = { terminated: { exitCode: 0, containerID: "containerd://1", finishedAt: "2026-01-01T00:01:00Z" } };
const status = (state: object) => ({ name: "main", image: "i", containerID: "containerd://1", state }) as never;

function podOf({ metadata, spec, status: more }: PodJson = {}): PodJson {
  return {
    metadata: {
      uid: "u",
      name: "web",
      namespace: "shop",
      creationTimestamp: "2026-01-01T00:00:00Z",
      annotations: { "kubernetes.io/config.source": "api", "kubernetes.io/config.seen": "2026-01-01T00:00:00Z" },
      ...metadata,
    },
    spec: { containers: [{ name: "main" }], terminationGracePeriodSeconds: 20, ...spec },
    status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }], containerStatuses: [status(running)], ...more },
  } as PodJson;
}

const annotations = (seen: string) => ({
  "kubernetes.io/config.source": "api",
  "kubernetes.io/config.seen": seen,
});

/** A version of the pod for each field that the client reads: it differs in this field alone. */
const CHANGES: Readonly<Record<string, PodJson>> = {
  "metadata.name": podOf({ metadata: { name: "web-2" } }),
  "metadata.namespace": podOf({ metadata: { namespace: "shop-2" } }),
  "metadata.creationTimestamp": podOf({ metadata: { creationTimestamp: "2026-01-01T00:00:09Z" } }),
  "metadata.deletionTimestamp": podOf({ metadata: { deletionTimestamp: "2026-01-01T00:05:00Z" } }),
  "metadata.deletionGracePeriodSeconds": podOf({ metadata: { deletionGracePeriodSeconds: 300 } }),
  "metadata.annotations": podOf({ metadata: { annotations: annotations("2026-01-01T00:00:08Z") } }),
  "metadata.finalizers": podOf({ metadata: { finalizers: ["a/b"] } }),
  "spec.terminationGracePeriodSeconds": podOf({ spec: { terminationGracePeriodSeconds: 300 } as never }),
  "status.phase": podOf({ status: { phase: "Failed" } }),
  "status.containerStatuses.name": podOf({ status: { containerStatuses: [] } }),
  "status.containerStatuses.state.running": podOf({ status: { containerStatuses: [status(ended)] } }),
  "status.initContainerStatuses.name": podOf({ status: { initContainerStatuses: [status(ended)] } }),
  "status.initContainerStatuses.state.running": podOf({ status: { initContainerStatuses: [status(running)] } }),
  "status.ephemeralContainerStatuses.name": podOf({ status: { ephemeralContainerStatuses: [status(ended)] } }),
  "status.ephemeralContainerStatuses.state.running": podOf({
    status: { ephemeralContainerStatuses: [status(running)] },
  }),
};
/** Versions that differ in several of these fields. */
const TOGETHER: Readonly<Record<string, PodJson>> = {
  "a finished pod": podOf({ status: { phase: "Failed", containerStatuses: [status(ended)] } }),
  "a terminating pod": podOf({
    metadata: { deletionTimestamp: "2026-01-01T00:05:00Z", deletionGracePeriodSeconds: 300 },
  }),
};
const other = bytesOf(podOf({ metadata: { uid: "o", name: "other" }, status: { podIPs: [{ ip: "10.0.0.2" }] } }));

interface Case {
  readonly mask: readonly string[] | undefined;
  readonly changed: PodJson;
  /** True if a list shows the change, otherwise an event. */
  readonly isListed: boolean;
  /** True if there is an informer beside the watch. */
  readonly informs: boolean;
}

/** What the client decides about a pod that changes, and leaves the lists 60 s later. */
async function decisions(t: TestContext, { mask, changed, isListed, informs }: Case) {
  const node = new ScriptedNode(t);
  const { clock, client } = node;
  const said: string[] = [];
  const [before, after] = [bytesOf(podOf()), bytesOf(changed)];
  node.pods = [before, other];
  const options = mask === undefined ? {} : { mask: podMask.parse(mask.join(",")) };
  const events = eventsOf(node, options as never, (type) => type !== "MODIFIED");
  const informer = informs ? client.informer({ ...options, retainMs: 3_600_000 } as never) : undefined;
  await clock.advance(5_000);
  node.pods = [after, other];
  if (isListed) await clock.advance(130_000);
  else await node.send("MODIFIED", after);
  await clock.advance(1_000);
  const look = async (when: string) => {
    if (informer === undefined) return;
    for (const key of [{ uid: "u" }, { ip: "10.0.0.1" }, { namespace: "shop", name: "web" }]) {
      const { pod, confidence, reason, others, gone } = informer.find(key);
      const end = `${gone?.cause} ${gone?.end?.reason} ${gone?.end?.exitCode}`;
      said.push(`${when} find ${Object.values(key)}: ${pod !== undefined} ${confidence} ${reason} ${others} ${end}`);
    }
    const waits = [{ ip: "10.0.0.1" }, { namespace: "shop", name: "web" }].map((key) =>
      informer.waitFor(key, { timeoutMs: 50 }).then(
        ({ confidence }) => said.push(`${when} waitFor ${Object.values(key)}: ${confidence}`),
        ({ code }) => said.push(`${when} waitFor ${Object.values(key)}: ${code}`),
      ),
    );
    await clock.advance(100);
    await Promise.all(waits);
    const absent = informer.confirmAbsent(["u", "never"], { timeoutMs: 5_000 }).then(
      (uids) => said.push(`${when} absent: ${uids}`),
      ({ code }) => said.push(`${when} absent: ${code}`),
    );
    await clock.advance(6_000);
    await absent;
  };
  await look("changed");
  await clock.advance(60_000);
  node.pods = [other];
  await node.drop();
  await look("left");
  for (let i = 0; i < 20; i++) await clock.advance(30_000);
  await look("later");
  return { events, said, requestsMs: node.requestsMs };
}

const fields = HEAD_MASK.paths.filter((path) => path !== "metadata.uid");

test("each field that the client reads has a change", () => {
  assert.deepEqual(Object.keys(CHANGES).sort(), [...fields].sort());
});

for (const isListed of [false, true])
  describe(`a change that ${isListed ? "a list" : "an event"} shows has the same consequences with every mask`, () => {
    for (const [field, changed] of [...Object.entries(CHANGES), ...Object.entries(TOGETHER)])
      for (const informs of [false, true])
        test(`${field}${informs ? ", with lookups" : ""}`, async (t) => {
          const given = { changed, isListed, informs };
          const expected = await decisions(t, { ...given, mask: undefined });
          assert.ok(expected.events.length > 2);
          const others = fields.filter((path) => path !== field);
          for (const mask of [["metadata.uid"], ["metadata.uid", "status.podIPs"], ["metadata.uid", ...others]])
            assert.deepEqual(await decisions(t, { ...given, mask }), expected, String(mask));
        });
  });
