import type { PodsErrorCode } from "./error-code.js";

/** Names of gRPC status codes, by number (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). */
const GRPC_NAMES: readonly string[] = [
  "Ok",
  "Canceled",
  "Unknown",
  "InvalidArgument",
  "DeadlineExceeded",
  "NotFound",
  "AlreadyExists",
  "PermissionDenied",
  "ResourceExhausted",
  "FailedPrecondition",
  "Aborted",
  "OutOfRange",
  "Unimplemented",
  "Internal",
  "Unavailable",
  "DataLoss",
  "Unauthenticated",
];

/** Status codes that this package uses, by the names above. */
export const GRPC = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** Returns the name of a status code; its number if it has none. */
export function statusName(status: number): string {
  return GRPC_NAMES[status] ?? String(status);
}

export interface GrpcErrorInit {
  readonly status: number;
  readonly message: string;
  /** Code of a failure that the client detected; undefined if the server sent the status. */
  readonly code?: PodsErrorCode | undefined;
  /** True if the server reports that it has not processed the request. */
  readonly isUnprocessed?: boolean;
  /** Unchanged value of the metadata `grpc-retry-pushback-ms`. */
  readonly pushback?: string | undefined;
  /** The serialized `google.rpc.Status` of `grpc-status-details-bin`. */
  readonly details?: Uint8Array | undefined;
  readonly cause?: unknown;
}

/** A failed gRPC call: an error status, a malformed answer, or a lost connection. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly status: number;
  /** Code of a failure that the client detected; undefined if the server sent the status. */
  readonly code: PodsErrorCode | undefined;
  /** True if the server reports that it has not processed the request, so that a retry is safe. */
  readonly isUnprocessed: boolean;
  /** Unchanged value of the metadata `grpc-retry-pushback-ms`. */
  readonly pushback: string | undefined;
  /** The serialized `google.rpc.Status` of `grpc-status-details-bin`; undefined if none was sent. */
  readonly details: Uint8Array | undefined;

  constructor({ status, message, code, isUnprocessed = false, pushback, details, cause }: GrpcErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.isUnprocessed = isUnprocessed;
    this.pushback = pushback;
    this.details = details;
  }
}
