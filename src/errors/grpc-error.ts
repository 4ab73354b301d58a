import type { PodsErrorCode } from "./error-code.js";

/** Names of the status codes of gRPC, by number (https://github.com/grpc/grpc/blob/master/doc/statuscodes.md). */
const NAMES: readonly string[] = [
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

/** The status codes that the code uses, by the names above. */
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
  return NAMES[status] ?? String(status);
}

/** The parts of a {@link GrpcError}. */
export interface GrpcErrorInit {
  readonly status: number;
  readonly message: string;
  /** The code of a failure that was found on this side; undefined if the server has sent the status. */
  readonly code?: PodsErrorCode | undefined;
  /** True if the server says that it has not processed the request. */
  readonly isUnprocessed?: boolean;
  /** The metadata `grpc-retry-pushback-ms` as it was sent. */
  readonly pushback?: string | undefined;
  /** The serialized `google.rpc.Status` of `grpc-status-details-bin`. */
  readonly details?: Uint8Array | undefined;
  readonly cause?: unknown;
}

/** A failed gRPC call: the server has sent an error status, or a malformed answer. */
export class GrpcError extends Error {
  override readonly name = "GrpcError";
  readonly status: number;
  /** The code of a failure that was found on this side; undefined if the server has sent the status. */
  readonly code: PodsErrorCode | undefined;
  /** True if the server says that it has not processed the request, so that it is safe to repeat. */
  readonly isUnprocessed: boolean;
  /** The metadata `grpc-retry-pushback-ms` as it was sent. */
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
