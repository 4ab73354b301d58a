import { create, toBinary } from "@bufbuild/protobuf";
import { PodSchema } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/** Returns a serialized pod with this UID: in protobuf a field that is given again is merged into what was there. */
export function withUID(bytes: Uint8Array, uid: string): Uint8Array {
  return Buffer.concat([bytes, toBinary(PodSchema, create(PodSchema, { metadata: { uid } }))]);
}
