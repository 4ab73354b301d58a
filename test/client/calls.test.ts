import assert from "node:assert/strict";
import { join } from "node:path";
import { Pods as ServedPods } from "../../src/gen/v1alpha1/pods_pb.js";
import { PodsClient, PodsError, toKubernetesJson } from "../../src/index.js";
import { sampleNode } from "../../src/testing/index.js";
import { clientOf, kubeletAndClient, serve, serveRaw, temporaryDirectory } from "../helpers/kubelet.js";
import { describe, test } from "../helpers/test.js";

const ofCode = (code: string) => (error: unknown) => PodsError.is(error) && error.code === code;
const uidOf = (json: { metadata?: { uid?: string | null } | null } | undefined) => json?.metadata?.uid ?? "";

for (const profile of ["1.38", "1.37", "1.36", "v1beta1", "v1", "documented"] as const) {
  describe(`a ${profile} kubelet`, () => {
    test("lists its pods sorted by UID and unchanged", async (t) => {
      const { pods } = await kubeletAndClient(t, { profile, pods: sampleNode() });
      const expected = sampleNode().sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
      assert.deepEqual((await pods.listPods()).map(toKubernetesJson), expected);
    });

    test("lists no pods if there are none", async (t) => {
      const { pods } = await kubeletAndClient(t, { profile });
      assert.deepEqual(await pods.listPods(), []);
    });

    test("gets a pod by UID and names a UID that is not found", async (t) => {
      const { pods } = await kubeletAndClient(t, { profile, pods: sampleNode() });
      const [first] = sampleNode();
      assert.deepEqual(toKubernetesJson(await pods.getPod(uidOf(first))), first);
      await assert.rejects(pods.getPod("nobody"), {
        name: "PodsError",
        code: "not-found",
        rawMessage: "pod with UID nobody not found (NotFound)",
        hint: /kubernetes\.io\/config\.hash/,
        method: "GetPod",
        grpcCode: 5,
        retryable: false,
      });
    });
  });
}

test("detects the API version again after a restart", async (t) => {
  const directory = temporaryDirectory(t);
  const socketPath = join(directory, "pods-api.sock");
  const pods = clientOf(t, { socketPath, retry: false });
  const profiles = ["documented", "1.37", "v1beta1", "v1", "1.36", "documented"] as const;
  for (const profile of profiles) {
    const { kubelet } = await kubeletAndClient(t, { profile, pods: sampleNode(), socketPath });
    assert.equal((await pods.listPods({ retry: true })).length, sampleNode().length, profile);
    assert.equal((await pods.listPods()).length, sampleNode().length, profile);
    await kubelet.close();
  }
});

test("reports not-served for a server without the Pods service [#34]", async (t) => {
  const socketPath = await serve(t, () => {});
  await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), (error: PodsError) => {
    assert.equal(error.code, "not-served");
    assert.match(error.hint, /PodsAPI/);
    return true;
  });
});

test("reports initializing for a 1.37 kubelet, while a 1.36 kubelet returns an empty list", async (t) => {
  const beta = await kubeletAndClient(t, { initializing: true, pods: sampleNode() }, { retry: false });
  await assert.rejects(beta.pods.listPods(), { code: "initializing", retryable: true, grpcCode: 9 });
  beta.kubelet.setInitializing(false);
  assert.equal((await beta.pods.listPods()).length, sampleNode().length);

  const alpha = await kubeletAndClient(t, { profile: "1.36", initializing: true });
  assert.deepEqual(await alpha.pods.listPods(), []);
});

test("rejects a list with a pod that cannot be decoded [#42]", async (t) => {
  const socketPath = await serve(t, (router) =>
    router.service(ServedPods, {
      listPods: () => ({ pods: [new Uint8Array(), Uint8Array.of(10, 200)] }),
    }),
  );
  await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), {
    code: "corrupt",
    message: "corrupt: pod 1 of 2 cannot be decoded",
  });
});

test("replaces invalid UTF-8 with U+FFFD [#92]", async (t) => {
  // metadata { name: "a\xff" }
  const socketPath = await serve(t, (router) =>
    router.service(ServedPods, { getPod: () => ({ pod: Uint8Array.of(10, 4, 10, 2, 97, 255) }) }),
  );
  assert.equal((await clientOf(t, { socketPath, retry: false }).getPod("u")).metadata?.name, "a\ufffd");
});

describe("limits", () => {
  test("rejects a response over maxMessageBytes and keeps the client usable [#32 #49]", async (t) => {
    const { pods } = await kubeletAndClient(t, { pods: sampleNode() }, { maxMessageBytes: 4096 });
    await assert.rejects(pods.listPods(), (error: PodsError) => {
      assert.equal(error.code, "too-large");
      assert.equal(error.retryable, false);
      assert.match(error.message, /raise maxMessageBytes$/);
      return true;
    });
    assert.ok(await pods.getPod(uidOf(sampleNode()[0])));
  });

  test("five clients each receive a list of twelve megabytes at the same time [#49]", async (t) => {
    const [pod] = sampleNode();
    assert.ok(pod?.metadata);
    const big = Array.from({ length: 600 }, (_, i) => ({
      ...pod,
      metadata: { ...pod.metadata, uid: String(i), annotations: { filler: "x".repeat(20_000) } },
    }));
    const { kubelet } = await kubeletAndClient(t, { pods: big });
    const clients = Array.from({ length: 5 }, () => clientOf(t, { socketPath: kubelet.socketPath }));
    const lists = await Promise.all(clients.map((pods) => pods.listPods()));
    for (const list of lists) assert.equal(list.length, 600);
  });

  test("timeoutMs limits a call, and 0 and Infinity mean no limit", async (t) => {
    const socketPath = await serve(t, (router) =>
      router.service(ServedPods, {
        listPods: (_, { signal }) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
        getPod: () => ({}),
      }),
    );
    const pods = clientOf(t, { socketPath, retry: false });
    await assert.rejects(pods.listPods({ timeoutMs: 20.5 }), ofCode("deadline"));
    assert.ok(await pods.getPod("a", { timeoutMs: 0 }));
    assert.ok(await pods.getPod("a", { timeoutMs: Number.POSITIVE_INFINITY }));
    assert.ok(await pods.getPod("a", { timeoutMs: 2 ** 40 }), "a timeout too long for gRPC is shortened");
    for (const timeoutMs of [Number.NaN, -1])
      await assert.rejects(pods.getPod("a", { timeoutMs }), ofCode("invalid-argument"));
  });

  test("rejects an empty UID and invalid maxMessageBytes", async (t) => {
    const { pods } = await kubeletAndClient(t);
    await assert.rejects(pods.getPod(""), ofCode("invalid-argument"));
    for (const maxMessageBytes of [0, -1, 1.5, 2 ** 31]) {
      assert.throws(() => new PodsClient({ maxMessageBytes }), ofCode("invalid-argument"));
    }
  });
});

describe("a peer that is not a kubelet", () => {
  test("HTTP/1.1", async (t) => {
    const socketPath = await serveRaw(t, (s) => s.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
    await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), ofCode("wrong-peer"));
  });

  test("random bytes", async (t) => {
    const socketPath = await serveRaw(t, (s) => s.write(Buffer.alloc(64, 0xff)));
    await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), ofCode("wrong-peer"));
  });

  test("a peer that closes at once", async (t) => {
    const socketPath = await serveRaw(t, (s) => s.destroy());
    await assert.rejects(clientOf(t, { socketPath, retry: false }).listPods(), ofCode("connection-lost"));
  });

  test("no file, or a directory in place of the socket [#4]", async (t) => {
    const directory = temporaryDirectory(t);
    const absent = clientOf(t, { socketPath: join(directory, "no.sock"), retry: false });
    await assert.rejects(absent.listPods(), ofCode("socket-missing"));
    await assert.rejects(clientOf(t, { socketPath: directory, retry: false }).listPods(), ofCode("not-a-socket"));
  });
});

test("getPod hints that it takes UIDs if it was given another text", async (t) => {
  const { kubelet, pods } = await kubeletAndClient(t, { pods: sampleNode() });
  const older = clientOf(t, { socketPath: kubelet.socketPath, kubeletVersion: "1.36" });
  await assert.rejects(older.getPod("web-1"), { code: "not-found", hint: /^getPod takes metadata\.uid, and no name/ });
  const hintOf = async (uid: string) => {
    const error = await pods.getPod(uid).catch((error: unknown) => error);
    assert.ok(PodsError.is(error) && error.code === "not-found", uid);
    return error.hint;
  };
  for (const name of ["web-1", "shop/web-1"])
    assert.match(await hintOf(name), /^getPod takes metadata\.uid, and no name; .*kubernetes\.io\/config\.hash/, name);
  for (const uid of ["1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed"])
    assert.match(await hintOf(uid), /^(?!getPod takes).*kubernetes\.io\/config\.hash/, uid);
});
