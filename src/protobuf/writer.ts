/** Returns a length-delimited field in the protobuf wire format: a string, bytes or a message. */
export function delimited(number: number, value: Uint8Array): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(value.length), value]);
}

/** Returns an unsigned number of up to 32 bits as a varint. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
