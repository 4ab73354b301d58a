/**
 * Reads the fields of the mask, or metadata, containers and status of a whole pod. It returns a number, so that V8 does not remove the
 * reads.
 */
export function read({ metadata, spec, status }, isMasked) {
  const identity = metadata.uid.length + metadata.name.length + Object.keys(metadata.labels ?? {}).length;
  const network = (status.phase?.length ?? 0) + (status.podIPs?.length ?? 0);
  if (isMasked) return identity + network;
  let read = identity + network + (status.conditions?.length ?? 0);
  for (const { name, image, env } of spec.containers ?? []) read += name.length + image.length + (env?.length ?? 0);
  for (const { state, restartCount } of status.containerStatuses ?? []) read += (state?.running ? 1 : 0) + restartCount;
  return read;
}
