import type { PodJson } from "../../pod/json-types.js";
import { type Fact, fact, facts } from "./fact.js";

type VolumeJson = NonNullable<NonNullable<PodJson["spec"]>["volumes"]>[number];
type Projection = NonNullable<NonNullable<VolumeJson["projected"]>["sources"]>[number];

/** Names of sources that are more than their key with a capital letter. */
const TYPES: Readonly<Record<string, string>> = {
  awsElasticBlockStore: "AWSElasticBlockStore",
  cephfs: "CephFS",
  csi: "CSI",
  ephemeral: "EphemeralVolume",
  fc: "FC",
  flexVolume: "FlexVolume",
  gcePersistentDisk: "GCEPersistentDisk",
  iscsi: "ISCSI",
  nfs: "NFS",
  rbd: "RBD",
  scaleIO: "ScaleIO",
  storageos: "StorageOS",
};

/** Returns the facts of a pod's volumes: of each its type, and what its source says. */
export function describeVolumes(volumes: readonly VolumeJson[] | null | undefined): Fact[] {
  const below = (volumes ?? []).flatMap(({ name, ...sources }) => {
    const [key, source] = Object.entries(sources).find(([, source]) => source) ?? [];
    if (key === undefined || !source) return facts(name ?? "", fact("Type", "<unknown>"));
    const type = TYPES[key] ?? capital(key);
    return facts(name ?? "", [...fact("Type", type), ...paramsOf(key, source)]);
  });
  return below.length === 0 ? [{ name: "Volumes", lines: ["<none>"] }] : facts("Volumes", below);
}

function paramsOf(key: string, source: object): Fact[] {
  if (key === "projected") return ((source as { sources?: Projection[] }).sources ?? []).flatMap(projectionFacts);
  return Object.entries(source).flatMap(([name, value]) => {
    const shown = name === "type" && key === "hostPath" ? "HostPathType" : capital(name);
    if (typeof value !== "object" || value === null) return fact(shown, value as string | number | boolean | null);
    return fact(shown, JSON.stringify(value));
  });
}

function projectionFacts({ secret, configMap, downwardAPI, serviceAccountToken, ...others }: Projection): Fact[] {
  return [
    ...fact("SecretName", secret?.name),
    ...fact("ConfigMapName", configMap?.name),
    ...(secret?.optional || configMap?.optional ? fact("Optional", true) : []),
    ...(downwardAPI ? fact("DownwardAPI", true) : []),
    ...(serviceAccountToken ? fact("TokenExpirationSeconds", serviceAccountToken.expirationSeconds ?? 0) : []),
    ...Object.entries(others).flatMap(([key, value]) => (value ? fact(capital(key), JSON.stringify(value)) : [])),
  ];
}

const capital = (key: string) => key.charAt(0).toUpperCase() + key.slice(1);
