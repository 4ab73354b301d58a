import type { InlinedFields, RequiredFields } from "../gen/json-keys.js";
import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/** Any JSON object: the content of `managedFields[].fieldsV1`, which has no schema. */
interface JsonObject {
  [key: string]: unknown;
}

/** Messages with a special form, in Kubernetes JSON and in client-node's models. */
interface OwnForms {
  json: {
    "k8s.io.apimachinery.pkg.apis.meta.v1.Time": string | null;
    "k8s.io.apimachinery.pkg.api.resource.Quantity": string;
    "k8s.io.apimachinery.pkg.util.intstr.IntOrString": number | string;
    "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": JsonObject | null;
  };
  v1: {
    "k8s.io.apimachinery.pkg.apis.meta.v1.Time": Date;
    "k8s.io.apimachinery.pkg.api.resource.Quantity": string;
    "k8s.io.apimachinery.pkg.util.intstr.IntOrString": number | string;
    "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": JsonObject;
  };
}

type Form = keyof OwnForms;

/** The name of the field whose message is inlined: its keys are in the parent (Go's embedded structs). */
type InlinedKey<Name> = Name extends keyof InlinedFields ? InlinedFields[Name] : never;

type OwnKey<Name, K> = K extends "$typeName" | "$unknown" | InlinedKey<Name> ? never : K;

/** In Kubernetes JSON each key may be left out, or null. */
type JsonKeys<T, Name> = {
  [K in keyof T as OwnKey<Name, K>]?: Written<Exclude<T[K], undefined>, "json"> | null;
};

/** Names of the keys that are always present. */
type Present<Name> = Name extends keyof RequiredFields ? RequiredFields[Name] : never;

/** A key that is always present; never for a time, which may be null. */
type RequiredKey<T, Name, K extends keyof T> =
  K extends Present<Name>
    ? NonNullable<T[K]> extends { $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time" }
      ? never
      : K
    : never;

/** In client-node's models no key is null, and some are always present. */
type V1Keys<T, Name> = {
  [K in keyof T as OwnKey<Name, RequiredKey<T, Name, K>>]-?: Written<NonNullable<T[K]>, "v1">;
} & {
  [K in keyof T as OwnKey<Name, Exclude<K, RequiredKey<T, Name, K>>>]?: Written<NonNullable<T[K]>, "v1">;
};

type Keys<T, Name, F> = F extends "json" ? JsonKeys<T, Name> : V1Keys<T, Name>;

type InlinedKeys<T, Name, F extends Form> =
  InlinedKey<Name> extends keyof T ? Written<Exclude<T[InlinedKey<Name>], undefined>, F> : unknown;

/** A value in its written form. 64-bit integers become numbers. */
type Written<T, F extends Form> = T extends bigint
  ? number
  : T extends { $typeName: infer Name }
    ? Name extends keyof OwnForms[F]
      ? OwnForms[F][Name]
      : [InlinedKey<Name>] extends [never]
        ? Keys<T, Name, F>
        : Keys<T, Name, F> & InlinedKeys<T, Name, F>
    : T extends (infer Item)[]
      ? Written<Item, F>[]
      : T extends { [key: string]: infer Value }
        ? { [key: string]: Written<Value, F> }
        : T;

/** A Pod as `kubectl get pod -o json` prints it. Every key is optional, because Kubernetes leaves out empty values. */
export interface PodJson extends Written<Pod, "json"> {
  /** Not part of the protobuf message. Absent in the items of a list. */
  apiVersion?: "v1";
  /** Not part of the protobuf message. Absent in the items of a list. */
  kind?: "Pod";
}

/** A pod that can be passed as @kubernetes/client-node's `V1Pod`. */
export type V1PodLike = Written<Pod, "v1"> & { apiVersion: "v1"; kind: "Pod" };
