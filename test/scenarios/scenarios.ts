// What kubelets do, as docs/kubelet.md says it: each played on the reference kubelet and on the kubelet's
// own Go code.

import {
  deleting,
  ended,
  large,
  pod,
  restarted,
  revived,
  withGeneration,
  withInit,
  withOwnPolicy,
  withStatus,
} from "./pods.js";
import type { Scenario } from "./scenario.js";

const web = pod("web");
const api = pod("api");
const job = pod("job", { restartPolicy: "Never" });
const etcd = pod("etcd", { uid: "0123456789abcdef0123456789abcdef", source: "file" });

const WEB = "web Running Ready=True running #web";
const WEB_UNVERIFIED = "web Running Ready=False/unverified running #web";
const JOB = "job Running Ready=True running #job";
const JOB_ENDED = "job Succeeded Ready=False terminated #job";
const ETCD = "etcd Running Ready=True running #etcd";

const SYNC = "INITIAL_SYNC_COMPLETE";
const TOO_SLOW = "ResourceExhausted: watch client channel closed";
const LIMITED = "ResourceExhausted: rejected by rate limit";
const NOT_READY = "FailedPrecondition: Kubelet is initializing";

const uidOf = ({ metadata }: typeof web) => metadata?.uid ?? "";

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "an empty node sends only the sync marker",
    steps: [{ watch: [SYNC] }, { list: [] }],
  },
  {
    name: "a watch begins with all pods, sorted by UID, and a sync marker without a pod",
    pods: [web, api, job],
    steps: [
      { watch: ["ADDED api Running Ready=True running #api", `ADDED ${JOB}`, `ADDED ${WEB}`, SYNC] },
      { list: ["api Running Ready=True running #api", JOB, WEB] },
      { get: uidOf(web), gives: [WEB] },
    ],
  },
  {
    name: "before a pod's first sync, 1.37 reports Ready as unverified; the first status is ADDED",
    steps: [
      { watch: [SYNC] },
      { do: { op: "addPod", pod: web, status: false } },
      { list: { "1.37": [WEB_UNVERIFIED], "1.36": [WEB] } },
      { get: uidOf(web), gives: { "1.37": [WEB_UNVERIFIED], "1.36": [WEB] } },
      { watch: { "1.37": [`ADDED ${WEB_UNVERIFIED}`, SYNC], "1.36": [`ADDED ${WEB}`, SYNC] } },
      { do: { op: "updatePod", pod: web }, told: [`ADDED ${WEB}`] },
    ],
  },
  {
    name: "a new status sends MODIFIED, an equal status sends nothing",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      {
        do: { op: "updatePod", pod: restarted(web, 1) },
        told: ["MODIFIED web Running Ready=True running/1 #web"],
      },
      { do: { op: "updatePod", pod: restarted(web, 1) } },
    ],
  },
  {
    name: "a new start time or init container order sends nothing, a new generation sends MODIFIED",
    pods: [withInit(web, "first", "second")],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "updatePod", pod: withInit(web, "second", "first") } },
      {
        do: {
          op: "updatePod",
          pod: withStatus(withInit(web, "first", "second"), { startTime: "2026-11-20T09:00:00Z" }),
        },
      },
      {
        do: { op: "updatePod", pod: withGeneration(withInit(web, "first", "second"), 2) },
        told: [`MODIFIED ${WEB}`],
      },
    ],
  },
  {
    name: "a label change sends no event, but lists and the next status have it",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "setLabels", uid: uidOf(web), labels: { app: "renamed" } } },
      { list: ["web Running Ready=True running #renamed"] },
      { get: uidOf(web), gives: ["web Running Ready=True running #renamed"] },
      { do: { op: "evictPod", uid: uidOf(web) }, told: ["MODIFIED web Failed/Evicted Ready=True running #renamed"] },
    ],
  },
  {
    name: "an evicted pod is Failed before its containers end",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "evictPod", uid: uidOf(web) }, told: ["MODIFIED web Failed/Evicted Ready=True running #web"] },
      { list: ["web Failed/Evicted Ready=True running #web"] },
      {
        do: { op: "finishPod", uid: uidOf(web) },
        told: ["MODIFIED web Failed/Evicted Ready=False terminated #web", "DELETED web -"],
      },
    ],
  },
  {
    name: "DELETED means finished; the pod stays listed, and its removal sends no event",
    pods: [job],
    steps: [
      { watch: [`ADDED ${JOB}`, SYNC] },
      { do: { op: "finishPod", uid: uidOf(job) }, told: [`MODIFIED ${JOB_ENDED}`, "DELETED job -"] },
      { list: [JOB_ENDED] },
      { get: uidOf(job), gives: [JOB_ENDED] },
      { watch: [`ADDED ${JOB_ENDED}`, SYNC] },
      { do: { op: "removePod", uid: uidOf(job) } },
      { list: [] },
      { get: uidOf(job), gives: [`NotFound: pod with UID ${uidOf(job)} not found`] },
    ],
  },
  {
    name: "a status after the end sends DELETED again",
    pods: [job],
    steps: [
      { watch: [`ADDED ${JOB}`, SYNC] },
      { do: { op: "finishPod", uid: uidOf(job) }, told: [`MODIFIED ${JOB_ENDED}`, "DELETED job -"] },
      { do: { op: "finishPod", uid: uidOf(job) }, told: ["DELETED job -"] },
    ],
  },
  {
    name: "an ended container does not run again if its restart policy forbids it",
    pods: [job],
    steps: [
      { watch: [`ADDED ${JOB}`, SYNC] },
      { do: { op: "finishPod", uid: uidOf(job) }, told: [`MODIFIED ${JOB_ENDED}`, "DELETED job -"] },
      { do: { op: "updatePod", pod: revived(job) }, refused: true },
      { list: [JOB_ENDED] },
    ],
  },
  {
    name: "a container with its own restart policy may run again",
    pods: [withOwnPolicy(job, "Always")],
    steps: [
      { watch: [`ADDED ${JOB}`, SYNC] },
      {
        do: { op: "updatePod", pod: withStatus(ended(withOwnPolicy(job, "Always")), { phase: "Running" }) },
        told: ["MODIFIED job Running Ready=False terminated #job"],
      },
      { do: { op: "updatePod", pod: withOwnPolicy(job, "Always") }, told: [`MODIFIED ${JOB}`] },
    ],
  },
  {
    name: "a terminating pod sends MODIFIED with its deletion timestamp on each sync until it is finished",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "deletePod", uid: uidOf(web) }, told: [`MODIFIED ${WEB} deleting`] },
      { do: { op: "updatePod", pod: deleting(web) }, told: [`MODIFIED ${WEB} deleting`] },
      {
        do: { op: "finishPod", uid: uidOf(web) },
        told: ["MODIFIED web Succeeded Ready=False terminated #web deleting", "DELETED web -"],
      },
    ],
  },
  {
    name: "the first status of a terminating pod sends MODIFIED",
    steps: [{ watch: [SYNC] }, { do: { op: "addPod", pod: deleting(web) }, told: [`MODIFIED ${WEB} deleting`] }],
  },
  {
    name: "a pod that is not admitted is ADDED as Failed",
    steps: [
      { watch: [SYNC] },
      { do: { op: "rejectPod", pod: web }, told: ["ADDED web Failed/OutOfcpu #web"] },
      { list: ["web Failed/OutOfcpu #web"] },
    ],
  },
  {
    name: "a static pod that is created again has the same UID",
    steps: [
      { watch: [SYNC] },
      { do: { op: "addPod", pod: etcd }, told: [`ADDED ${ETCD}`] },
      {
        do: { op: "finishPod", uid: uidOf(etcd) },
        told: ["MODIFIED etcd Running Ready=False terminated #etcd", "DELETED etcd -"],
      },
      { do: { op: "removePod", uid: uidOf(etcd) } },
      { do: { op: "addPod", pod: etcd }, told: [`ADDED ${ETCD}`] },
    ],
    driver: "housekeeping has forgotten the status of the first pod before the second comes",
  },
  {
    name: "a static pod leaves the list before its end when its manifest is removed",
    pods: [etcd],
    steps: [
      { watch: [`ADDED ${ETCD}`, SYNC] },
      { do: { op: "removePod", uid: uidOf(etcd) } },
      { list: [] },
      { watch: [SYNC] },
      {
        do: { op: "finishPod", uid: uidOf(etcd) },
        told: ["MODIFIED etcd Running Ready=False terminated #etcd", "DELETED etcd -"],
      },
      { list: [] },
    ],
    driver: "the order of removal and end",
  },
  {
    name: "after a resize, lists have the requested resources and events the allocated ones",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "resizePod", uid: uidOf(web), cpu: "200m" } },
      { list: [`${WEB} cpu=200m`] },
      { do: { op: "evictPod", uid: uidOf(web) }, told: ["MODIFIED web Failed/Evicted Ready=True running #web"] },
      { list: ["web Failed/Evicted Ready=True running #web cpu=200m"] },
      {
        do: { op: "allocate", uid: uidOf(web) },
        told: ["MODIFIED web Failed/Evicted Ready=True running #web cpu=200m"],
      },
    ],
    driver: "that workers hand on the pod as it is allocated (kubelet.go, allocation manager)",
  },
  {
    name: "GetPod of an unknown UID returns NotFound",
    pods: [web],
    steps: [
      { get: "nobody", gives: ["NotFound: pod with UID nobody not found"] },
      { get: "", gives: ["NotFound: pod with UID  not found"] },
    ],
  },
  {
    name: "while initializing, 1.37 refuses all calls and 1.36 answers with the known pods",
    pods: [web],
    initializing: true,
    steps: [
      { list: { "1.37": [NOT_READY], "1.36": [] } },
      {
        get: uidOf(web),
        gives: { "1.37": [NOT_READY], "1.36": [`NotFound: pod with UID ${uidOf(web)} not found`] },
      },
      { watch: { "1.37": [NOT_READY], "1.36": [SYNC] } },
      {
        do: { op: "setInitializing", value: false },
        told: { "1.37": [], "1.36": [`ADDED ${WEB}`] },
      },
      { list: [WEB] },
    ],
  },
  {
    name: "a killed kubelet ends the watch, then lists its pods unverified and sends ADDED again",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      { do: { op: "restart", kill: true }, told: ["(connection-lost)"] },
      { watch: { "1.37": [`ADDED ${WEB_UNVERIFIED}`, SYNC], "1.36": [`ADDED ${WEB}`, SYNC] } },
      { do: { op: "firstStatuses" }, told: [`ADDED ${WEB}`] },
    ],
    driver: "when workers speak first after a start",
  },
  {
    name: "on shutdown, 1.37 drops its watchers first; 1.36 keeps them until the process exits",
    pods: [web],
    steps: [
      { watch: [`ADDED ${WEB}`, SYNC] },
      {
        do: { op: "restart", kill: false },
        told: { "1.37": [TOO_SLOW], "1.36": ["(connection-lost)"] },
      },
      { watch: { "1.37": [`ADDED ${WEB_UNVERIFIED}`, SYNC], "1.36": [`ADDED ${WEB}`, SYNC] } },
    ],
    driver: "how long a process outlives its end",
  },
  {
    name: "after a restart, an ended pod is sent as ADDED and DELETED again",
    pods: [job],
    steps: [
      { do: { op: "finishPod", uid: uidOf(job) } },
      { do: { op: "restart", kill: true } },
      { watch: [`ADDED ${JOB_ENDED}`, SYNC] },
      { do: { op: "firstStatuses" }, told: [`ADDED ${JOB_ENDED}`, "DELETED job -"] },
    ],
    driver: "that a worker takes up an ended pod after a start (SyncTerminatedPod)",
  },
  {
    name: "ListPods and GetPod share one rate limit among all clients",
    steps: [{ burst: 60, connections: 3, gives: ["NotFound: pod with UID nobody not found", LIMITED] }],
  },
  {
    name: "1.38 limits the rate of WatchPods, too",
    steps: [{ watches: 60, connections: 3, gives: { "1.38": [LIMITED, SYNC].sort(), "1.37": [SYNC], "1.36": [SYNC] } }],
  },
  {
    name: "1.38 allows 100 streams on one connection",
    steps: [{ streams: true, gives: { "1.38": ["100"], "1.37": ["no limit"], "1.36": ["no limit"] } }],
  },
  {
    name: "field masks in the metadata are ignored, even invalid ones",
    pods: [web],
    steps: [
      { list: [WEB], headers: { "x-kubernetes-fieldmask": "metadata.name" } },
      { list: [WEB], headers: { "x-kubernetes-fieldmask": "no.such.field" } },
      { watch: [`ADDED ${WEB}`, SYNC], headers: { "x-kubernetes-fieldmask": "metadata.name" } },
    ],
  },
  {
    name: "other services and methods return Unimplemented",
    steps: [
      { call: "Pods/ListPods", gives: ["Unimplemented: unknown service Pods"] },
      { call: "v1.Pods/ListPods", gives: ["Unimplemented: unknown service v1.Pods"] },
      { call: "grpc.health.v1.Health/Check", gives: ["Unimplemented: unknown service grpc.health.v1.Health"] },
      { call: "v1alpha1.Pods/Nothing", gives: ["Unimplemented: unknown method Nothing for service v1alpha1.Pods"] },
    ],
  },
  {
    name: "a watcher that does not read is dropped after its buffered events",
    steps: [{ stalled: 4_000, gives: ["some, without a gap", "8: watch client channel closed"] }],
  },
  {
    name: "a client that pings an idle connection receives GOAWAY",
    steps: [{ pings: 5, gives: ["GOAWAY 11 too_many_pings"] }],
  },
  {
    name: "a client may ping repeatedly while it receives data",
    pods: [large(web)],
    steps: [{ pingsWhileReading: 5, gives: ["5 pings, (stays)"] }],
  },
];
