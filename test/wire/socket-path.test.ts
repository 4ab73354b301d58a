import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  chooseSocket,
  MAX_SOCKET_PATH_BYTES,
  podResourcesSocket,
  socketCandidates,
} from "../../src/wire/socket-path.js";
import { temporaryDirectory } from "../helpers/kubelet.js";
import { test } from "../helpers/test.js";

const served = "/var/lib/kubelet/pods-api/pods-api.sock";
const printed = "/var/lib/kubelet/pods/kubelet.sock";

test("prefers the option, then the environment variable, then the paths below the root directory", () => {
  const env = { KUBELET_PODS_SOCKET: "/env.sock" };
  assert.deepEqual(socketCandidates({ socketPath: "/mine.sock", rootDir: "/x" }, env), ["/mine.sock"]);
  assert.deepEqual(socketCandidates({ rootDir: "/x" }, env), ["/env.sock"]);
  assert.deepEqual(socketCandidates({}, {}), [served, printed]);
  assert.deepEqual(socketCandidates({}, { KUBELET_PODS_SOCKET: "" }), [served, printed]);
  assert.deepEqual(socketCandidates({ rootDir: "/var/lib/k0s/kubelet" }, {}), [
    "/var/lib/k0s/kubelet/pods-api/pods-api.sock",
    "/var/lib/k0s/kubelet/pods/kubelet.sock",
  ]);
});

test("resolves the podresources socket from its own option and environment variable", () => {
  const env = { KUBELET_PODS_SOCKET: "/pods.sock", KUBELET_PODRESOURCES_SOCKET: "/env.sock" };
  assert.deepEqual(podResourcesSocket({ socketPath: "/mine.sock" }, env), ["/mine.sock"]);
  assert.deepEqual(podResourcesSocket({ rootDir: "/x" }, env), ["/env.sock"]);
  assert.deepEqual(podResourcesSocket({ rootDir: "/x" }, {}), ["/x/pod-resources/kubelet.sock"]);
  assert.deepEqual(podResourcesSocket({}, {}), ["/var/lib/kubelet/pod-resources/kubelet.sock"]);
  const other = { KUBELET_PODS_SOCKET: "/k0s/kubelet/pods-api/pods-api.sock" };
  assert.deepEqual(podResourcesSocket({}, other), ["/k0s/kubelet/pod-resources/kubelet.sock"]);
  assert.deepEqual(podResourcesSocket({ rootDir: "/x" }, other), ["/x/pod-resources/kubelet.sock"]);
  const hint = "pass socketPath, or set $KUBELET_PODRESOURCES_SOCKET as serve --pod-resources prints it";
  assert.throws(() => podResourcesSocket({}, { KUBELET_PODS_SOCKET: "/p.sock" }), { code: "invalid-path", hint });
});

test("chooses the served path, or the printed one if only that exists", (t) => {
  const rootDir = temporaryDirectory(t);
  const candidates = socketCandidates({ rootDir }, {});
  assert.equal(chooseSocket(candidates), join(rootDir, "pods-api/pods-api.sock"));
  for (const path of [...candidates].reverse()) {
    mkdirSync(dirname(path));
    writeFileSync(path, "");
    assert.equal(chooseSocket(candidates), path);
  }
});

test("rejects invalid socket paths before connecting [#9]", () => {
  const longest = `/${"a".repeat(MAX_SOCKET_PATH_BYTES - 1)}`;
  assert.deepEqual(socketCandidates({ socketPath: longest }, {}), [longest]);
  assert.deepEqual(socketCandidates({ socketPath: "/run/a:b.sock" }, {}), ["/run/a:b.sock"]);
  for (const socketPath of ["unix:///run/a.sock", "unix:/run/a.sock", "UNIX:///run/a.sock"]) {
    assert.deepEqual(socketCandidates({ socketPath }, {}), ["/run/a.sock"]);
    assert.deepEqual(socketCandidates({}, { KUBELET_PODS_SOCKET: socketPath }), ["/run/a.sock"]);
  }
  assert.deepEqual(socketCandidates({ socketPath: "unix:run/a.sock" }, {}), ["run/a.sock"]);
  assert.deepEqual(socketCandidates({ socketPath: `unix://${longest}` }, {}), [longest]);
  for (const socketPath of ["http://localhost/a", "unix://host/run/a.sock", "npipe:////./pipe/kubelet"]) {
    assert.throws(() => socketCandidates({ socketPath }, {}), {
      hint: "give the path, or unix:// and the path",
      rawMessage: `the socket path is a URL: ${socketPath}`,
    });
  }
  for (const socketPath of [
    "/run/a.sock\n",
    "/run/a.sock ",
    " /run/a.sock",
    "unix:///run/a.sock\t",
    "/run/a.sock\u00a0",
  ]) {
    assert.throws(() => socketCandidates({ socketPath }, {}), { code: "invalid-path", hint: "remove it" });
    assert.throws(() => podResourcesSocket({}, { KUBELET_PODRESOURCES_SOCKET: socketPath }), { code: "invalid-path" });
  }
  assert.deepEqual(socketCandidates({ socketPath: "/run/a b.sock" }, {}), ["/run/a b.sock"]);
  for (const socketPath of ["unix:", "unix://"]) {
    assert.throws(() => socketCandidates({ socketPath }, {}), { code: "invalid-path" });
  }
  for (const socketPath of [`${longest}a`, `/${"é".repeat(54)}`, "", "/a\0b"]) {
    assert.throws(() => socketCandidates({ socketPath }, {}), { code: "invalid-path" });
  }
  assert.throws(() => socketCandidates({}, { KUBELET_PODS_SOCKET: `${longest}a` }), { code: "invalid-path" });
});
