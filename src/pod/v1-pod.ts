import type { DescMessage } from "@bufbuild/protobuf";
import { type Pod, PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import { jsonPlan } from "./json-plan.js";
import type { AlwaysWritten } from "./json-table.js";
import type { InlinedKey, JsonObject } from "./json-types.js";
import { toKubernetesJson } from "./to-json.js";

/** Messages that code written against @kubernetes/client-node meets in a form of their own. */
interface OwnForm {
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": Date;
  "k8s.io.apimachinery.pkg.api.resource.Quantity": string;
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": number | string;
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": JsonObject;
}

/** Keys that Kubernetes leaves out where they are empty, and whose emptiness the API server refuses. */
interface Validated {
  "k8s.io.api.core.v1.ContainerRestartRule": "action";
  "k8s.io.api.core.v1.ContainerRestartRuleOnExitCodes": "operator";
  "k8s.io.api.core.v1.PodCertificateProjection": "keyType" | "signerName";
}

/** The names of keys that are always there. */
type Present<Name> =
  | (Name extends keyof AlwaysWritten ? AlwaysWritten[Name] : never)
  | (Name extends keyof Validated ? Validated[Name] : never);

/** A key that is always there, unless its value is a time, which may be null. */
type RequiredKey<T, Name, K extends keyof T> =
  K extends Present<Name>
    ? NonNullable<T[K]> extends { $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time" }
      ? never
      : K
    : never;

type OwnKey<Name, K> = K extends "$typeName" | "$unknown" | InlinedKey<Name> ? never : K;

type Keys<T, Name> = {
  [K in keyof T as OwnKey<Name, RequiredKey<T, Name, K>>]-?: V1<NonNullable<T[K]>>;
} & {
  [K in keyof T as OwnKey<Name, Exclude<K, RequiredKey<T, Name, K>>>]?: V1<NonNullable<T[K]>>;
};

type InlinedKeys<T, Name> = InlinedKey<Name> extends keyof T ? V1<NonNullable<T[InlinedKey<Name>]>> : unknown;

/** A message in the form of @kubernetes/client-node's models. */
type V1<T> = T extends bigint
  ? number
  : T extends { $typeName: infer Name }
    ? Name extends keyof OwnForm
      ? OwnForm[Name]
      : [InlinedKey<Name>] extends [never]
        ? Keys<T, Name>
        : Keys<T, Name> & InlinedKeys<T, Name>
    : T extends (infer Item)[]
      ? V1<Item>[]
      : T extends { [key: string]: infer Value }
        ? { [key: string]: V1<Value> }
        : T;

/** A pod that fits where @kubernetes/client-node's `V1Pod` is asked for. */
export type V1PodLike = V1<Pod> & { apiVersion: "v1"; kind: "Pod" };

/**
 * A whole pod in the form of @kubernetes/client-node's `V1Pod`, for code that is written against it: as its own reader
 * makes it of {@link toKubernetesJson}, with times as `Date` in whole seconds, and undefined where that has null.
 *
 * @throws PodsError, as {@link toKubernetesJson}.
 */
export function toV1Pod(pod: Pod): V1PodLike {
  return withDates(PodSchema, toKubernetesJson(pod) as Record<string, unknown>) as V1PodLike;
}

/** Puts dates in the place of texts, in the object itself. */
function withDates(desc: DescMessage, json: Record<string, unknown>): Record<string, unknown> {
  for (const { key, kind, field } of jsonPlan(desc).entries) {
    const value = json[key];
    if (value === undefined) continue;
    if (value === null) {
      if (field.fieldKind === "list") json[key] = [];
      else delete json[key];
    } else if (kind === "time") json[key] = new Date(value as string);
    else if (typeof kind === "object") {
      const messages = field.fieldKind === "message" ? [value] : Object.values(value);
      for (const message of messages) withDates(kind, message as Record<string, unknown>);
    }
  }
  return json;
}
