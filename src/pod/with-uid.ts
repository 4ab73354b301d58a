import { delimited } from "../protobuf/writer.js";
import { messageType, POD } from "./message-type.js";

/** Returns a serialized pod with this UID: in protobuf a field that is given again is merged into what was there. */
export function withUID(bytes: Uint8Array, uid: string): Uint8Array {
  const metadata = delimited(messageType("ObjectMeta").numberOf("uid"), Buffer.from(uid));
  return Buffer.concat([bytes, delimited(POD.numberOf("metadata"), metadata)]);
}
