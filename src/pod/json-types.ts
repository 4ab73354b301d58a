import type { Pod } from "../gen/k8s/io/api/core/v1/pod_pb.js";
import type { Inlined } from "./json-table.js";

/** Any JSON object, for the one field whose content Kubernetes leaves open (`managedFields[].fieldsV1`). */
export interface JsonObject {
  [key: string]: unknown;
}

/** Messages that Kubernetes JSON writes in a form of their own. */
interface OwnForm {
  "k8s.io.apimachinery.pkg.apis.meta.v1.Time": string | null;
  "k8s.io.apimachinery.pkg.api.resource.Quantity": string;
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": number | string;
  "k8s.io.apimachinery.pkg.apis.meta.v1.FieldsV1": JsonObject | null;
}

/** The name of the field of a message whose keys stand in the parent (Go's embedded structs). */
export type InlinedKey<Name> = Name extends keyof Inlined ? Inlined[Name] : never;

type Keys<T, Name> = {
  [K in keyof T as K extends "$typeName" | "$unknown" | InlinedKey<Name> ? never : K]?: KubernetesJson<
    Exclude<T[K], undefined>
  > | null;
};

type InlinedKeys<T, Name> =
  InlinedKey<Name> extends keyof T ? KubernetesJson<Exclude<T[InlinedKey<Name>], undefined>> : unknown;

/** The Kubernetes JSON of a message: times and quantities are strings, 64-bit numbers are numbers. */
export type KubernetesJson<T> = T extends bigint
  ? number
  : T extends { $typeName: infer Name }
    ? Name extends keyof OwnForm
      ? OwnForm[Name]
      : [InlinedKey<Name>] extends [never]
        ? Keys<T, Name>
        : Keys<T, Name> & InlinedKeys<T, Name>
    : T extends (infer Item)[]
      ? KubernetesJson<Item>[]
      : T extends { [key: string]: infer Value }
        ? { [key: string]: KubernetesJson<Value> }
        : T;

/** A Pod as `kubectl get pod -o json` shows it. Every key is optional, since Kubernetes leaves out what is empty. */
export interface PodJson extends KubernetesJson<Pod> {
  /** Not on the wire; inside a list there is none. */
  apiVersion?: "v1";
  /** As `apiVersion`. */
  kind?: "Pod";
}
