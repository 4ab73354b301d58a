// Keeps the pods of a kubelet as fixtures: node --import tsx test/node/keep-fixtures.ts NAME FROM...
//
//   NAME --socket PATH [--url URL --token-file FILE] [--note TEXT]   of a kubelet that runs, as root; the URL is that of its /pods
//   NAME --go 1.37                                                   of the kubelet's own Go code (test/interop), without a node
//
// It writes test/fixtures/NAME.pb.txt: each pod of ListPods in base64, a line each, in the order of the answer, and NAME.json: the list of
// GET /pods, a pod per line, sorted by UID. Nothing is taken out: take a node that nobody else uses. It reads by grpc-js and protobuf-es,
// and not by what the fixtures test.

import { readFileSync, writeFileSync } from "node:fs";
import https from "node:https";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import { type Pod, PodSchema } from "../../src/gen/k8s/io/api/core/v1/pod_pb.js";
import { ListPodsResponseSchema } from "../../src/gen/v1alpha1/pods_pb.js";
import { type PodJson, toKubernetesJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { EVERY_FIELD } from "../helpers/fixtures.js";
import { root } from "../helpers/programs.js";
import { skeleton } from "../helpers/skeleton.js";
import { GoKubelet, type GoVersion } from "../interop/go-kubelet.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    socket: { type: "string" },
    url: { type: "string" },
    "token-file": { type: "string" },
    go: { type: "string" },
    note: { type: "string", default: "" },
  },
});
const [name] = positionals;
if (name === undefined || !/^[a-z0-9.-]+$/.test(name)) throw new Error("a name is expected, such as kubelet-1.37.1");

/** Lists the pods, as bytes. */
async function listed(socketPath: string): Promise<Uint8Array[]> {
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const asIs = (bytes: Buffer) => bytes;
  try {
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const path = "/v1alpha1.Pods/ListPods";
      client.makeUnaryRequest(path, asIs, asIs, Buffer.alloc(0), (error, bytes) => {
        if (bytes === undefined) reject(error);
        else resolve(bytes);
      });
    });
    return fromBinary(ListPodsResponseSchema, answer).pods;
  } finally {
    client.close();
  }
}

/** Gets the list of the kubelet's HTTP server, whose certificate nobody has signed. */
async function got(url: string, tokenFile: string | undefined): Promise<PodJson[]> {
  const authorization =
    tokenFile === undefined ? {} : { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
  const body = await new Promise<string>((resolve, reject) => {
    const request = https.get(`${url}/pods`, { headers: authorization, rejectUnauthorized: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    request.on("error", reject);
  });
  return (JSON.parse(body) as { items: PodJson[] }).items;
}

/** Pods as the kubelet's own code reads their JSON and writes them as protobuf: some of the sample node, and one with every field. */
async function ofGo(version: GoVersion): Promise<{ bytes: Uint8Array[]; jsons: PodJson[] }> {
  await using kubelet = await GoKubelet.start(version, { mode: "verbatim" });
  const full = toKubernetesJson(skeleton(PodSchema, "everything") as Pod);
  // 1.36 had it, 1.37 has it no more.
  if (version === "1.37")
    for (const each of full.status?.nodeAllocatableResourceClaimStatuses ?? []) delete each.resources;
  const jsons = [
    ...sampleNode().filter((_, i) => i % 3 === 0),
    { ...full, metadata: { ...full.metadata, uid: EVERY_FIELD } },
  ];
  await kubelet.do("add", { pods: jsons });
  return { bytes: await listed(kubelet.socketPath), jsons };
}

const uidOf = ({ metadata }: PodJson) => metadata?.uid ?? "";
const kept =
  values.go === undefined
    ? {
        bytes: await listed(values.socket ?? "/var/lib/kubelet/pods-api/pods-api.sock"),
        jsons: values.url === undefined ? [] : await got(values.url, values["token-file"]),
      }
    : await ofGo(values.go as GoVersion);
const from =
  values.go === undefined ? `a kubelet. ${values.note}` : `the kubelet's own Go code, ${values.go}, without a node`;
const head = [
  `# Pods of ${from.trim()}`,
  "# Each as ListPods has it, in base64. Written by test/node/keep-fixtures.ts.",
];
const lines = kept.bytes.map((bytes) => Buffer.from(bytes).toString("base64"));
const path = (ending: string) => join(root, "test/fixtures", `${name}.${ending}`);
writeFileSync(path("pb.txt"), `${[...head, ...lines].join("\n")}\n`);
for (const bytes of kept.bytes) fromBinary(PodSchema, bytes);
if (kept.jsons.length > 0) {
  const items = kept.jsons.sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1)).map((pod) => JSON.stringify(pod));
  writeFileSync(
    path("json"),
    `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[\n${items.join(",\n")}\n]}\n`,
  );
}
console.log(`${kept.bytes.length} pods as protobuf, ${kept.jsons.length} as JSON`);
