import { join } from "node:path";
import type { TestContext } from "node:test";
import type { InformerOptions, PodsClient } from "../../src/index.js";
import type { Door } from "../../src/relay/index.js";
import { serveRelay } from "../../src/relay/relay.js";
import type { PodJson, ReferenceKubelet, ReferenceKubeletOptions } from "../../src/testing/index.js";
import { clientOf, environmentOf, kubeletOf, temporaryDirectory } from "../helpers/kubelet.js";

export const A = "2c4d8b1e-0000-4000-8000-00000000000a";
export const B = "2c4d8b1e-0000-4000-8000-00000000000b";
export const C = "2c4d8b1e-0000-4000-8000-00000000000c";

/** A pod with something to hide in each place that has such. */
export function secretive(uid: string, namespace = "shop", more: PodJson = {}): PodJson {
  const name = `web-${uid.slice(-1)}`;
  return {
    ...more,
    metadata: {
      uid,
      name,
      namespace,
      labels: { app: "web" },
      annotations: { "example.com/token": "SECRET-annotation", "kubernetes.io/config.source": "api" },
      ...more.metadata,
    },
    spec: {
      containers: [
        {
          name: "app",
          image: "registry.example/web:1",
          args: ["SECRET-arg"],
          command: ["SECRET-command"],
          env: [{ name: "TOKEN", value: "SECRET-env" }],
          resources: { limits: { memory: "64Mi" } },
        },
      ],
      volumes: [{ name: "v", csi: { driver: "d", volumeAttributes: { key: "SECRET-volume" } } }],
      ...more.spec,
    },
  };
}

export interface RelayParts {
  readonly kubelet: ReferenceKubelet;
  readonly pods: PodsClient;
  readonly informer: ReturnType<PodsClient["informer"]>;
  readonly paths: readonly string[];
  readonly relay: Awaited<ReturnType<typeof serveRelay>>;
}

/** A kubelet, an informer that is synced, and a relay with these doors. */
export async function relayOf(
  t: TestContext,
  doors: readonly (Partial<Door> & Pick<Door, "serve">)[],
  kubeletOptions: ReferenceKubeletOptions = {},
  options: InformerOptions = {},
  before: (kubelet: ReferenceKubelet) => void = () => {},
): Promise<RelayParts> {
  const kubelet = await kubeletOf(t, { pods: [secretive(A), secretive(B), secretive(C, "bank")], ...kubeletOptions });
  before(kubelet);
  const pods = clientOf(t, { socketPath: kubelet.socketPath });
  const informer = pods.informer({ includeFinished: true, retainMs: 600_000, ...options });
  const directory = temporaryDirectory(t);
  const placed = doors.map((door, i) => ({ path: join(directory, `${i}.sock`), ...door }));
  const relay = await serveRelay(informer, placed, environmentOf(t).clock);
  t.after(() => relay.close());
  return { kubelet, pods, informer, relay, paths: placed.map(({ path }) => path) };
}
