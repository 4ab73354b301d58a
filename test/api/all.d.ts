import { Pod } from './gen/k8s/io/api/core/v1/pod_pb.js';
import { Time } from './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import { IntOrString } from './gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js';
import { Quantity } from './gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js';
import { Message } from '@bufbuild/protobuf';
import { FieldMask } from '@bufbuild/protobuf/wkt';

/**
 * What went wrong, in one word; the same vocabulary in errors, events, states and the command.
 *
 * - `absent`: there is no socket at the path.
 * - `refused`: the socket file is there, and nobody listens.
 * - `not-permitted`: this process may not connect, or the peer does not let it ask.
 * - `not-a-socket`: the path is a regular file or a directory.
 * - `invalid-path`: the path cannot be a socket's path.
 * - `wrong-peer`: what listens on the socket does not speak gRPC.
 * - `connect-timeout`: the peer accepts, and does not speak.
 * - `connection-lost`: the connection ended before the answer did.
 * - `initializing`: the kubelet has not read its pod sources yet.
 * - `rate-limited`: the kubelet's limit, shared by all its clients, is used up.
 * - `too-slow`: the kubelet dropped this watcher because it fell behind, or because the kubelet shuts down.
 * - `stalled`: the kubelet keeps the connection and no longer answers on it.
 * - `too-large`: an answer is larger than `maxMessageBytes`.
 * - `not-found`: the kubelet has no pod with that UID.
 * - `not-served`: the kubelet does not serve the Pods API in a version known here.
 * - `corrupt`: what came cannot be decoded.
 * - `server-error`: the kubelet answered with an error of its own.
 * - `deadline`: `timeoutMs` passed first.
 * - `closed`: the client was closed.
 * - `invalid-argument`: what was passed in cannot be used; nothing was sent.
 * - `unsupported-platform`: this operating system has no such socket.
 * - `unknown`: none of these.
 */
type PodsErrorCode = "absent" | "refused" | "not-permitted" | "not-a-socket" | "invalid-path" | "wrong-peer" | "connect-timeout" | "connection-lost" | "initializing" | "rate-limited" | "too-slow" | "stalled" | "too-large" | "not-found" | "not-served" | "corrupt" | "server-error" | "deadline" | "closed" | "invalid-argument" | "unsupported-platform" | "unknown";

/** The names of a message's fields. */
type Names<T> = Exclude<keyof T & string, "$typeName" | "$unknown">;
/** The message in a field, through a list; never for scalars, maps and bytes, where paths end. */
type Inner<V> = V extends readonly (infer E)[] ? Inner<E> : V extends {
    readonly $typeName: string;
} ? V : never;
/** The path itself where it is one; where it is none, those that stand to reason from as far as it is right. */
type Checked<T, P extends string, Before extends string = ""> = P extends `${infer Head}.${infer Rest}` ? Head extends Names<T> ? [Inner<NonNullable<T[Head]>>] extends [never] ? `${Before}${Head}` : Checked<Inner<NonNullable<T[Head]>>, Rest, `${Before}${Head}.`> : `${Before}${Names<T>}` : P extends Names<T> ? `${Before}${P}` : `${Before}${Names<T>}`;
/**
 * A path of a mask, checked segment by segment, so that the error stands at the path that is wrong. Paths that are known
 * at run time only are checked there.
 */
type CheckedPath<P extends string> = string extends P ? P : P extends Checked<Pod, P> ? P : Checked<Pod, P>;

/**
 * Decodes a serialized `k8s.io.api.core.v1.Pod`. The result is what protobuf-es gives, unknown fields included,
 * but for text that is not UTF-8: it becomes U+FFFD, where protobuf-es throws. The kubelet cuts long messages at
 * byte limits, so such text is real.
 *
 * The result holds no view of `bytes`: a pod that is kept does not keep the answer it came in.
 *
 * @throws Error or RangeError where the bytes are no Pod: cut off, a malformed tag, nesting too deep.
 */
declare function decodePod(bytes: Uint8Array): Pod;

/**
 * Which fields of pods are wanted. Made by {@link podMask} and {@link parsePodMask}; never changed. Paths are normalised:
 * sorted, each once, and none that lies in another.
 */
declare class PodMask<P extends string = string> {
    #private;
    /** The paths, as fields of the generated `Pod` are named. */
    readonly paths: readonly P[];
    /** A mask that selects what any of these masks does. */
    union<Q extends string = never>(...others: readonly PodMask<Q>[]): PodMask<P | Q>;
    /** The paths as `google.protobuf.FieldMask`. */
    toFieldMask(): FieldMask;
    /** The paths with commas between them: the value of the metadata `x-kubernetes-fieldmask`. */
    toString(): string;
    /** Whether everything that the other one selects is selected here too. */
    covers(other: PodMask): boolean;
}
/**
 * A mask of paths that the compiler checks: `podMask("metadata.name", "status.podIPs")`. Lists are passed through
 * (`spec.containers.name`); maps and scalars are where paths end.
 *
 * @throws PodsError `invalid-argument` for a path that is none, and where there is none at all.
 */
declare function podMask<P extends string>(...paths: readonly CheckedPath<P>[]): PodMask<P>;
/**
 * A mask of text that is known at run time only, paths with commas between them. Takes Kubernetes' JSON names too, where
 * those leave out a message that JSON has inlined: `spec.volumes.configMap` is `spec.volumes.volumeSource.configMap`.
 *
 * @throws PodsError `invalid-argument` that names the segment, where it is missing, and the names that come close.
 */
declare function parsePodMask(text: string): PodMask;

/** What `mask` takes: paths, or a {@link PodMask}. */
type MaskInput<P extends string = string> = readonly CheckedPath<P>[] | PodMask<P>;
/** The first segments of paths, and what follows one of them. */
type Heads<P extends string> = P extends `${infer Head}.${string}` ? Head : P;
type Rests<P extends string, Head extends string> = P extends `${Head}.${infer Rest}` ? Rest : never;
type MaskedValue<V, P extends string> = V extends readonly (infer E)[] ? MaskedValue<E, P>[] : V extends {
    readonly $typeName: string;
} ? Masked<V, P> : V;
/** What paths select of a message: a path to a whole field beats those into it. */
type Masked<T, P extends string> = MaskedFields<Pick<T, (Heads<P> | "$typeName") & keyof T>, P>;
type MaskedFields<S, P extends string> = {
    [K in keyof S]: K extends P | "$typeName" ? S[K] : MaskedValue<S[K], Rests<P, K & string>>;
};
/** Any part of a message may be missing. */
type Partially<V> = V extends readonly (infer E)[] ? Partially<E>[] : V extends {
    readonly $typeName: string;
} ? {
    [K in keyof V as K extends "$typeName" ? K : never]: V[K];
} & {
    [K in keyof V as K extends "$typeName" ? never : K]?: Partially<V[K]>;
} : V;
/** A pod of which any part may be missing: what a mask gives that is known at run time only. */
type PartialPod = Partially<Pod>;
/** The pod that a mask of these paths gives: the whole one where there are none. */
type PodOf<P extends string> = [P] extends [never] ? Pod : string extends P ? PartialPod : Masked<Pod, P>;
/**
 * A pod with what a mask selects, and nothing else: `MaskedPod<["metadata.name", "status.podIPs"]>`, or
 * `MaskedPod<typeof mask>` for a {@link PodMask}. The whole pod without a mask, a {@link PartialPod} for paths that are
 * known at run time only.
 */
type MaskedPod<M extends readonly string[] | PodMask | undefined = undefined> = PodOf<M extends PodMask<infer P> ? P : M extends readonly string[] ? M[number] : never>;
/** Anything that a mask makes of a pod; every pod is one. */
type AnyMaskedPod = Message<"k8s.io.api.core.v1.Pod">;

/** Which pods are wanted. Without any of these it is all of the node's. */
interface SelectorOptions {
    /** Only pods of this namespace. Defaults to all namespaces. */
    namespace?: string | undefined;
    /**
     * Only pods with such labels, as `kubectl -l` takes it: `app=web,tier notin (cache, db),!legacy`. Defaults to all. A
     * watch learns of a change of labels alone at its next resync, since kubelets tell nobody of it.
     */
    labelSelector?: string | undefined;
    /**
     * Only pods with such fields, as `kubectl --field-selector` takes it: `status.phase=Running,spec.nodeName!=a`, on the
     * fields that the API server knows. Defaults to all. A watch of phase Succeeded or Failed needs `includeFinished`.
     */
    fieldSelector?: string | undefined;
}

/** What a stream of a source says. Pods are bytes, and may be views: who keeps them copies them. */
type SourceEvent = 
/**
 * The first: there is a connection, to the process that `server` stands for; another process has another value.
 * `resyncIntervalMs` is how long the source's streams may last at most, where it cannot vouch for longer.
 */
{
    type: "CONNECTED";
    server: string;
    resyncIntervalMs?: number;
} | {
    type: "ADDED" | "MODIFIED" | "DELETED";
    pod: Uint8Array;
} | {
    type: "SYNCED";
}
/** Something that a newer server says. */
 | {
    type: "UNKNOWN";
};
/** One attempt: no retry, no pacing. */
interface AttemptOptions {
    /** Ends it: it rejects then, with anything. */
    signal: AbortSignal;
    /** A whole number of milliseconds from 1 to 99,999,999, the most that gRPC can carry; undefined for no limit. */
    timeoutMs?: number | undefined;
    /** What is wanted of each pod; a server may answer with more. Everything where it is undefined. */
    mask?: PodMask | undefined;
}
/**
 * Where pods come from, as bytes. `podsApi()` makes one of a kubelet's Pods API, `kubeletHttp()` of its HTTP server; another
 * one of your own has to keep what is said here. A source belongs to one client, which closes it.
 */
interface PodSource extends WatchSource {
    /** The version of the API that is spoken, for diagnostics; undefined before the first answer. */
    readonly version?: string | undefined;
    /**
     * It knows the pods also while the kubelet has yet to read them, as the API server does. Defaults to false: then it is not
     * asked while a better source says that the kubelet initializes, since what it lacked would be taken for gone.
     */
    readonly isIndependent?: boolean;
    /** Resolves when what is asked next is sent at once. Rejects with a PodsError where nobody is there. */
    connect(signal: AbortSignal): Promise<unknown>;
    /** Ends everything; resolves when no handle is left. */
    close(): Promise<void>;
    /** All pods of the node; they may be views of one buffer. */
    list(options: AttemptOptions): Promise<Uint8Array[]>;
    /** One pod by its UID. */
    get(uid: string, options: AttemptOptions): Promise<Uint8Array>;
}
/** What a watch needs of a source. */
interface WatchSource {
    /**
     * One stream: CONNECTED, every pod as ADDED, SYNCED, then changes. It never ends well: it throws when it is lost, and
     * when `signal` aborts. Nothing happens before it is read. `mask` as in {@link AttemptOptions}.
     */
    open(signal: AbortSignal, mask?: PodMask): AsyncIterable<SourceEvent>;
    /** Resolves when something changes where the source is dialled, or when `signal` aborts. */
    changed(signal: AbortSignal): Promise<void>;
    /** What stands for the process that would be dialled now, as in CONNECTED; undefined where there is none. */
    server(): string | undefined;
    /** Where the source is dialled, for diagnostics. */
    readonly socketPath: string;
}

/** Options of a client. */
interface ClientOptions {
    /**
     * Path of the kubelet's socket. Defaults to $KUBELET_PODS_SOCKET, else to `<rootDir>/pods-api/pods-api.sock`, else to
     * `<rootDir>/pods/kubelet.sock`; the first of the two that exists when the client connects.
     */
    socketPath?: string | undefined;
    /** The kubelet's `--root-dir`. Defaults to `/var/lib/kubelet`. Has no effect where the socket's path is given. */
    rootDir?: string | undefined;
    /**
     * How long `listPods` and `getPod` may take over all their attempts, in milliseconds. Defaults to 10,000. 0 or Infinity: no limit. Rounded up;
     * at most 99,999,999 (27 hours), which is what gRPC can carry. Has no effect on watches.
     */
    timeoutMs?: number | undefined;
    /**
     * Try again after failures that may pass: no socket, a lost connection, an initializing kubelet, its rate limit. Within
     * `timeoutMs`, with pauses that grow. Defaults to true. Has no effect on watches.
     */
    retry?: boolean | undefined;
    /**
     * The largest answer, and the largest single event, in bytes. Defaults to 64 MiB. A larger one is the error
     * `too-large`.
     */
    maxMessageBytes?: number | undefined;
    /**
     * Where pods come from, best first: `[podsApi(), kubeletHttp({ url })]`. The best that works is taken, for each call and each
     * list of a watch anew. Defaults to the Pods API alone. With it `socketPath`, `rootDir` and `maxMessageBytes` are refused:
     * they are options of `podsApi`. The client closes them.
     */
    sources?: readonly PodSource[] | undefined;
}
/** Options of one call. */
interface CallOptions {
    /** Ends the call: it rejects with the signal's reason, untouched. */
    signal?: AbortSignal | undefined;
    /** Overrides the client's `timeoutMs` for this call. */
    timeoutMs?: number | undefined;
    /** Overrides the client's `retry` for this call. */
    retry?: boolean | undefined;
}
/** What is asked for of each pod. */
interface MaskOptions<P extends string = string> {
    /**
     * The fields that are wanted, as paths (`["metadata.name", "spec.containers.image"]`) or as a `PodMask`. Defaults to
     * whole pods. Other fields are neither decoded nor kept, and their types are not there; a watch tells a change only
     * where one of these fields has changed.
     */
    mask?: MaskInput<P> | undefined;
}
/** Which pods are asked for, and what of each. Selectors are applied on this side, also to fields that `mask` leaves out. */
interface PodQuery<P extends string = string> extends MaskOptions<P>, SelectorOptions {
}
/** Options of a watch or an informer. */
interface WatchOptions<P extends string = string> extends PodQuery<P> {
    /** Ends the watch: the pending `next()` rejects with the signal's reason, untouched. */
    signal?: AbortSignal | undefined;
    /**
     * Watch finished pods too, as long as their objects exist. Defaults to false. Of their removal kubelets tell nobody: it
     * is seen at the next resync.
     */
    includeFinished?: boolean | undefined;
    /**
     * How long a stream lasts at most before a new one brings a complete list, in milliseconds, plus or minus 20 %. Defaults
     * to 120,000. It bounds how long a change can stay untold that the kubelet sends no event for. At least 1,000: each
     * costs the kubelet a whole list. Watches that share a stream get the shortest that one of them asks for, from then on.
     */
    resyncIntervalMs?: number | undefined;
}

/** What is read here of a pod's condition. */
interface ConditionFacts {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
}
/** What is read here of a container's status. */
interface ContainerFacts {
    readonly state?: {
        readonly running?: object | undefined;
    } | undefined;
}
/** A pod with its phase and conditions: a whole one, or one of a mask that has both, as `podMasks.readiness` does. */
interface PodWithConditions {
    /** What is read of its status. */
    readonly status?: {
        readonly phase: string;
        readonly conditions: readonly ConditionFacts[];
    } | undefined;
}
/** A pod with its phase and its containers' statuses. */
interface PodWithContainers {
    /** What is read of its status. */
    readonly status?: {
        readonly phase: string;
        readonly initContainerStatuses: readonly ContainerFacts[];
        readonly containerStatuses: readonly ContainerFacts[];
        readonly ephemeralContainerStatuses: readonly ContainerFacts[];
    } | undefined;
}
/** A pod with its annotations. */
interface PodWithAnnotations {
    /** What is read of its metadata. */
    readonly metadata?: {
        readonly annotations: Readonly<Record<string, string>>;
    } | undefined;
}
/** A pod with its deletion timestamp. */
interface PodWithDeletion {
    /** What is read of its metadata. */
    readonly metadata?: {
        readonly deletionTimestamp?: Time | undefined;
    } | undefined;
}
/**
 * Whether the pod can be sent traffic: its condition Ready is True, and its phase Running. A pod that is evicted has phase
 * Failed and stays Ready for a moment; it is not ready.
 */
declare function isReady({ status }: PodWithConditions): boolean;
/**
 * Of a pod, or of its {@link PodConditions}: whether Ready=False is not yet anything that the kubelet has found out: it has started again and has not looked at the
 * pod, so it does not vouch for it (1.37; getEffectivePodStatus in pkg/kubelet/apis/pods/server.go). What the pod was
 * before is the better guess.
 */
declare function readinessUnverified(pod: PodWithConditions | Pick<PodConditions, "conditions">): boolean;
/**
 * Whether nothing of the pod runs, nor will: phase Succeeded or Failed, and no container running. Phase alone is no proof:
 * eviction, preemption and a node's shutdown set it before the containers are killed.
 */
declare function isFinished({ status }: PodWithContainers): boolean;
/**
 * Whether the pod comes from a manifest on the node, or a URL, and not from the API server (kubetypes.IsStaticPod). Only
 * such a pod's UID comes again when the pod does.
 */
declare function isStatic({ metadata }: PodWithAnnotations): boolean;
/** Whether somebody has deleted the pod, and its containers are on their way out, or gone. */
declare function isTerminating({ metadata }: PodWithDeletion): boolean;
/** One condition of a pod. Times are undefined where the kubelet has set none. */
interface ReportedCondition {
    /** `Ready`, `ContainersReady`, `Initialized`, `PodScheduled`, `DisruptionTarget`, or a readiness gate's own. */
    readonly type: string;
    /** `True`, `False` or `Unknown`. */
    readonly status: string;
    /** When it was probed last; kubelets set none. */
    readonly lastProbeTime: Date | undefined;
    /** Since when the status is what it is. */
    readonly lastTransitionTime: Date | undefined;
    /** Why, in one word; empty where there is none. */
    readonly reason: string;
    /** Why, for people; empty where there is none. */
    readonly message: string;
}
/** Who a pod is and how it stands: the fields of KEP-4188's PodInfo. Plain data, also for `JSON.stringify`. */
interface PodConditions {
    /** For a static pod the UID that the kubelet gave it, and not its mirror pod's. */
    readonly podUID: string;
    /** The namespace of the pod. */
    readonly podNamespace: string;
    /** The name of the pod. */
    readonly podName: string;
    /** As {@link isStatic}. */
    readonly static: boolean;
    /** As the kubelet has them, in its order. Ready=True alone does not make a pod ready, see {@link isReady}. */
    readonly conditions: readonly ReportedCondition[];
    /** When the pod is to be gone; undefined where nobody has deleted it. */
    readonly deletionTimestamp: Date | undefined;
}
/** What {@link podConditions} reads of a pod: a whole one has it, or one of the mask `podMasks.conditions`. */
interface PodWithPodConditions {
    /** What is read of its metadata. */
    readonly metadata?: {
        readonly uid: string;
        readonly namespace: string;
        readonly name: string;
        readonly annotations: Readonly<Record<string, string>>;
        readonly deletionTimestamp?: Time | undefined;
    } | undefined;
    /** What is read of its status. */
    readonly status?: {
        readonly conditions: readonly (ConditionFacts & ConditionTimes)[];
    } | undefined;
}
interface ConditionTimes {
    readonly lastProbeTime?: Time | undefined;
    readonly lastTransitionTime?: Time | undefined;
}
/** Who a pod is and how it stands, of a whole pod or of one of the mask `podMasks.conditions`. */
declare function podConditions(pod: PodWithPodConditions): PodConditions;

/** What the caller of {@link classify} knows and the error does not. */
interface ErrorContext {
    /** The method that was called: `ListPods`, `GetPod` or `WatchPods`; of podresources `List`, `Get` and so on. */
    method?: string | undefined;
    socketPath?: string | undefined;
}

/** What a {@link PodsError} is made of. */
interface PodsErrorInit extends ErrorContext {
    code: PodsErrorCode;
    /** What happened, in a few words, without the code and without the hint. */
    message: string;
    /** What the operator or the author of the agent should do. Defaults to what is known of the code. */
    hint?: string | undefined;
    /** The gRPC status number, where one was received or made by the gRPC library. */
    grpcCode?: number | undefined;
    /** How often the call was tried. Defaults to 1. */
    attempts?: number | undefined;
    /** How long that took, in milliseconds. Defaults to undefined: the call was not timed. */
    elapsedMs?: number | undefined;
    cause?: unknown;
}
/**
 * Every failure that this package reports. `message` starts with the code and ends with the hint, so that a bare log
 * line is useful. It never holds pod content.
 */
declare class PodsError extends Error {
    /** For logs; to tell it from other errors ask {@link PodsError.is}. */
    readonly name = "PodsError";
    /** What went wrong, in one word that stays the same from version to version. */
    readonly code: PodsErrorCode;
    /** The message without code, attempts and hint. */
    readonly rawMessage: string;
    /** Whether the same call may succeed later, unchanged. */
    readonly retryable: boolean;
    /** What the operator or the author of the agent should do; empty where there is nothing to add. */
    readonly hint: string;
    /** The method that was called: `ListPods`, `GetPod` or `WatchPods`; undefined where none was. */
    readonly method: string | undefined;
    /** The gRPC status number; undefined where gRPC was not reached. */
    readonly grpcCode: number | undefined;
    /** The socket that was dialled or would have been; undefined where none is involved. */
    readonly socketPath: string | undefined;
    /** How often the call was tried. */
    readonly attempts: number;
    /** How long that took, in milliseconds; undefined where nothing was tried. */
    readonly elapsedMs: number | undefined;
    constructor(init: PodsErrorInit);
    /** Whether `value` is a PodsError, also one made by another copy of this package. */
    static is(value: unknown): value is PodsError;
    /**
     * Turns anything thrown into a PodsError. A PodsError, or one among the causes, is returned as it is; an error of
     * the gRPC library or the operating system gets the code it stands for, and becomes the `cause`.
     */
    static from(value: unknown, context?: ErrorContext): PodsError;
}

/** Why a pod leaves a consumer. */
type DeleteCause = "finished" | "missing" | "deselected";

/**
 * What a watch tells.
 *
 * - `ADDED`: the pod is new to this watch.
 * - `MODIFIED`: it has changed since it was told last; `previous` is what was told then.
 * - `DELETED`: it is one of the watched pods no longer; `pod` is its last known state. `cause` says how that is known:
 *   the kubelet has finished it (`finished`), it is absent from a complete list (`missing`), or it has left the selection
 *   (`deselected`).
 * - `SYNCED`: everything there is has been told: once at first (`initial`), and after each outage. `count` pods are there.
 *   `held` of the node's pods are in doubt, and told as if they were there: a kubelet that has just started lacks them, and may
 *   not have read them yet. Within five seconds it is told what became of them, or of many that are missing within a minute.
 * - `DISCONNECTED`: the kubelet is away, or its answers are in doubt; what was told last still stands until SYNCED says
 *   what has changed. Told again when the reason changes.
 */
type PodEvent<P> = {
    readonly type: "ADDED";
    readonly pod: P;
} | {
    readonly type: "MODIFIED";
    readonly pod: P;
    readonly previous: P;
} | {
    readonly type: "DELETED";
    readonly pod: P;
    readonly cause: DeleteCause;
} | ControlEvent;
/** Events that are about no pod. */
type ControlEvent = {
    readonly type: "SYNCED";
    readonly initial: boolean;
    readonly count: number;
    readonly held: number;
} | {
    readonly type: "DISCONNECTED";
    readonly error: PodsError;
};

/** How an informer stands. */
interface InformerState {
    /**
     * - `connecting`: nothing is known yet.
     * - `synced`: what is known is what the kubelet has, but for those that are `held`.
     * - `stale`: the kubelet is away; reads give what was known last.
     * - `closed`: by {@link PodInformer.close}, or by an error that no waiting mends.
     */
    phase: "connecting" | "synced" | "stale" | "closed";
    /** Since when. */
    since: Date;
    /** Why it is not synced; undefined where it is. */
    error: PodsError | undefined;
    /** Pods whose absence from the last list is in doubt, so that they are still held. */
    held: number;
    /** UIDs of pods whose last message could not be read; what is known of them is older. */
    degraded: readonly string[];
    /** Of the stream behind all watches and informers of the client, since its first. */
    counters: {
        /** Streams opened. */
        streams: number;
        /** Complete lists after the first. */
        resyncs: number;
        /** Messages that could not be read or are not known. */
        malformed: number;
    };
}
/** Options of {@link PodInformer.synced}. */
type SyncedOptions = Pick<CallOptions, "signal" | "timeoutMs">;
/**
 * A cache of the node's pods that is kept right: it starts when it is made, survives the kubelet's restarts, and says
 * when it may be stale. Any number of readers and iterators share one stream.
 */
declare class PodInformer<P = Pod> implements AsyncIterable<PodEvent<P>>, AsyncDisposable {
    #private;
    /**
     * Resolves when everything there is is known, at once where it is already. Rejects with what is in the way when
     * `timeoutMs` has passed (by default, and with 0 or Infinity, it waits for ever), with the signal's reason, or with `closed`.
     */
    synced(options?: SyncedOptions): Promise<void>;
    /** How it stands now; a new object at each call. */
    get state(): InformerState;
    /** How many pods there are. */
    get size(): number;
    /** The pod with this UID. */
    get(uid: string | undefined): P | undefined;
    /** The pod of this name; of several, the newest that does not terminate. */
    byName(namespace: string, name: string): P | undefined;
    /**
     * The pods with this address. Pods on the host's network share the node's address and are left out, unless
     * `hostNetwork` is true.
     */
    byIP(ip: string, { hostNetwork }?: {
        hostNetwork?: boolean;
    }): P[];
    /** The pod that has this container, with or without `containerd://` before the ID. */
    byContainerID(id: string): P | undefined;
    /** All pods, or those that `filter` lets through. */
    list(filter?: (pod: P) => boolean): P[];
    /** Events from here on: first what there is. Each iterator has its own pace and harms no other. */
    [Symbol.asyncIterator](): AsyncIterator<PodEvent<P>, undefined>;
    /** The whole list, once it is known and after each change; what changes meanwhile is in the next one. */
    snapshots(options?: Pick<CallOptions, "signal">): AsyncIterableIterator<readonly P[], undefined>;
    /** Ends it and its iterators; reads give what was known last. Calling it again gives nothing new. */
    close(): Promise<void>;
    /** As {@link close}. */
    [Symbol.asyncDispose](): Promise<void>;
}

/** What {@link PodsClient.probe} finds: a kubelet that answers, or what is in the way of one. */
type ProbeResult = {
    /** The socket that was asked. */
    socketPath: string;
    /** The version of the Pods API that the kubelet speaks, or `http`; undefined where it did not come to that. */
    apiVersion: string | undefined;
    /** How long the answer took, connecting included. */
    latencyMs: number;
} & ({
    ready: true;
} | {
    ready: false;
    code: PodsErrorCode;
    message: string;
    hint: string;
    retryable: boolean;
});
/**
 * The pods of this node, from its kubelet. Connects when it is first used; one connection serves all calls. Nothing is
 * held open while nothing is asked: an idle client does not keep the process alive.
 */
declare class PodsClient implements AsyncDisposable {
    #private;
    /** @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`; nothing is dialled yet. */
    constructor(options?: ClientOptions);
    /**
     * All pods of the node, sorted by UID, as the kubelet answers: static pods included, mirror pods not, finished pods
     * as long as their objects exist.
     *
     * Selectors are applied on this side: the kubelet sends every pod.
     *
     * @throws PodsError; `corrupt` where a pod cannot be decoded: never a partial list.
     */
    listPods<P extends string = never>(options?: CallOptions & PodQuery<P>): Promise<PodOf<P>[]>;
    /**
     * The pod with this UID. For a static pod that is the UID the kubelet gave it, which its mirror pod carries in the
     * annotation `kubernetes.io/config.hash`; the mirror pod's own UID is not known to the kubelet.
     *
     * @throws PodsError; `not-found` where the kubelet has no such pod.
     */
    getPod<P extends string = never>(uid: string, options?: CallOptions & MaskOptions<P>): Promise<PodOf<P>>;
    /**
     * Asks whether a kubelet answers, with one GetPod that no pod matches: ready, or one of the error codes. Tries once,
     * waits for nobody, and never rejects. `timeoutMs` defaults to the client's.
     */
    probe(options?: Pick<CallOptions, "timeoutMs">): Promise<ProbeResult>;
    /**
     * The pods of the node and what becomes of them, told so that the reader's picture is right at every SYNCED: also across
     * restarts of the kubelet, whose silent losses a new complete list repairs every `resyncIntervalMs`. It starts when it is
     * first read and ends by `break`, by `signal`, or by `close()`. All watches and informers of a client share one stream.
     *
     * Before the first SYNCED an error that no waiting mends is thrown: `not-permitted`, `wrong-peer`, `not-served`. After it
     * everything is healed, and told by DISCONNECTED.
     *
     * By default those pods are watched that the kubelet has not finished. A change of labels or annotations alone sends no
     * event of the kubelet's: it is told at the next resync.
     *
     * A server that speaks the documented version of the API tells neither what is there nor what goes: the pods are listed
     * each 30 s. With it a deletion is told up to 30 s late, and a pod that comes and goes between two lists may never be.
     */
    watchPods<P extends string = never>(options?: WatchOptions<P>): AsyncIterableIterator<PodEvent<PodOf<P>>, undefined>;
    /**
     * Who each pod of the node is and how it stands, as {@link listPods}: KEP-4188's ListPodConditions. No more of a pod is
     * read than that.
     *
     * @throws PodsError, as {@link listPods}.
     */
    listPodConditions(options?: CallOptions & SelectorOptions): Promise<PodConditions[]>;
    /**
     * Who the pod with this UID is and how it stands, as {@link getPod}: KEP-4188's GetPodConditions.
     *
     * @throws PodsError, as {@link getPod}.
     */
    getPodConditions(uid: string, options?: CallOptions): Promise<PodConditions>;
    /**
     * The whole list of {@link listPodConditions}, once everything is known, and again whenever a condition has changed or a
     * pod has come, is to go or has gone: KEP-4188's WatchPodConditions. It holds those pods that {@link watchPods} tells,
     * starts and ends as that does, and says nothing while the kubelet is away. After a restart of a 1.37 kubelet pods are
     * not ready until it has looked at them: see {@link readinessUnverified}.
     */
    watchPodConditions(options?: Omit<WatchOptions, "mask">): AsyncIterableIterator<readonly PodConditions[], undefined>;
    /** A cache of the node's pods that is kept right. It starts when it is made; see {@link watchPods} for what it holds. */
    informer<P extends string = never>(options?: WatchOptions<P>): PodInformer<PodOf<P>>;
    /**
     * Ends everything: pending calls and watches reject with `closed`, connections are gone when the promise resolves.
     * Calling it again gives the same promise.
     */
    close(): Promise<void>;
    /** As {@link close}. */
    [Symbol.asyncDispose](): Promise<void>;
}
/**
 * The Pods API of this node's kubelet as one of a client's `sources`.
 *
 * @throws PodsError `invalid-argument`, `invalid-path`; nothing is dialled yet.
 */
declare function podsApi(options?: Pick<ClientOptions, "socketPath" | "rootDir" | "maxMessageBytes">): PodSource;

/**
 * What is published on the tracing channel `kubelet-pods:call` about a unary call: `start` and `asyncEnd` with all its
 * attempts between them, `error` where it fails. The same object each time; what is not known yet is undefined.
 */
interface CallMessage {
    /** `ListPods` or `GetPod`. */
    method: string;
    /** The socket that is asked. */
    socketPath: string;
    /** The version of the API that was spoken. */
    apiVersion: string | undefined;
    /** How often the call was tried so far. */
    attempts: number;
    /** How long the call may take over all its attempts; undefined for no limit. */
    timeoutMs: number | undefined;
    /** The error the call ends with: a {@link PodsError}, or the reason of the caller's signal. */
    error?: unknown;
}
/** What is published on `kubelet-pods:retry` each time a unary call is to be tried again. */
interface RetryMessage {
    /** `ListPods` or `GetPod`. */
    method: string;
    /** The attempt that failed, from 1. */
    attempt: number;
    /** What it failed with. */
    error: PodsError;
    /** How long from now the next attempt is made, if nothing changes about the socket before. */
    delayMs: number;
}
/** What is published on `kubelet-pods:connection`. */
interface ConnectionMessage {
    /**
     * - `connected`: the peer has spoken HTTP/2.
     * - `failed`: a dial ended otherwise; `error` says how.
     * - `goaway`: the peer takes no new streams on this connection.
     * - `replaced`: another socket lies at the path; the next call uses it, open streams stay where they are.
     * - `closed`: a connection that was open is gone.
     * - `polling`: directories cannot be watched here, so the socket is dialled each second while it is away; told once.
     */
    type: "connected" | "failed" | "goaway" | "replaced" | "closed" | "polling";
    /** The socket that it leads to. */
    socketPath: string;
    /** Of `failed`, and of `closed` where it was not in order. */
    error?: PodsError | undefined;
}
/** What is published on `kubelet-pods:watch` about the one stream behind a client's watches and informers. */
type WatchMessage = WatchNews & {
    socketPath: string;
};
/** {@link WatchMessage} without its place. */
type WatchNews = 
/** A stream is opened, the first or another. */
{
    type: "opening";
}
/** Everything is known: `pods` are listed, this list brought `changes`, `held` absences from it are in doubt. */
 | {
    type: "synced";
    pods: number;
    changes: number;
    held: number;
}
/** The stream is lost, or could not be opened; the next one comes in `delayMs`, or when the socket changes. */
 | {
    type: "lost";
    error: PodsError;
    delayMs: number;
}
/** A message that cannot be read, or of a kind that is not known; `count` of them so far. */
 | {
    type: "malformed";
    count: number;
};

/** A pod's UID and a container's ID, as cgroup paths name them. */
interface CgroupIdentity {
    /** The UID that the kubelet gave the pod: of a static pod the hash of its manifest. */
    podUID: string;
    /** Undefined for the pod's own cgroup. */
    containerID: string | undefined;
}
/**
 * The pod and container of a cgroup path, or of the text of `/proc/<pid>/cgroup`: cgroup v1 and v2, systemd and cgroupfs
 * drivers. So an agent gets from a process to its pod: `informer.get(parseCgroupPath(text)?.podUID)`.
 *
 * @returns undefined where the path is no pod's.
 */
declare function parseCgroupPath(text: string): CgroupIdentity | undefined;

/** Options of {@link fromKubernetesJson}. */
interface FromJsonOptions {
    /**
     * Leave out keys that the schema does not have, where a newer Kubernetes wrote the JSON.
     * Defaults to false: such a key is an error that names it.
     */
    allowUnknownKeys?: boolean;
}
/**
 * Reads a pod from Kubernetes JSON (already parsed), as `kubectl get pod -o json` or the kubelet's `/pods` writes it.
 * `apiVersion` and `kind` may be absent, as they are inside lists. `null` is taken as absent. Fractions of seconds are
 * cut off, as Kubernetes does.
 *
 * @throws PodsError `invalid-argument` naming the path: an unknown key, a wrong type, a bad quantity or time, something
 *   that is not a Pod. Values never appear in the message.
 */
declare function fromKubernetesJson(json: unknown, options?: FromJsonOptions): Pod;

/** The value of an IntOrString, such as a probe's port: a number, or the name of a port. */
declare function intOrString(value: IntOrString): number | string;
declare function intOrString(value: IntOrString | undefined): number | string | undefined;

/** As ALWAYS_WRITTEN, for the compiler. */
interface AlwaysWritten {
    "k8s.io.api.core.v1.AWSElasticBlockStoreVolumeSource": "volumeID";
    "k8s.io.api.core.v1.AppArmorProfile": "type";
    "k8s.io.api.core.v1.AzureDiskVolumeSource": "diskName" | "diskURI";
    "k8s.io.api.core.v1.AzureFileVolumeSource": "secretName" | "shareName";
    "k8s.io.api.core.v1.CSIVolumeSource": "driver";
    "k8s.io.api.core.v1.CephFSVolumeSource": "monitors";
    "k8s.io.api.core.v1.CinderVolumeSource": "volumeID";
    "k8s.io.api.core.v1.ClusterTrustBundleProjection": "path";
    "k8s.io.api.core.v1.ConfigMapKeySelector": "key";
    "k8s.io.api.core.v1.Container": "name" | "resources";
    "k8s.io.api.core.v1.ContainerExtendedResourceRequest": "containerName" | "resourceName" | "requestName";
    "k8s.io.api.core.v1.ContainerPort": "containerPort";
    "k8s.io.api.core.v1.ContainerResizePolicy": "resourceName" | "restartPolicy";
    "k8s.io.api.core.v1.ContainerStateRunning": "startedAt";
    "k8s.io.api.core.v1.ContainerStateTerminated": "exitCode" | "startedAt" | "finishedAt";
    "k8s.io.api.core.v1.ContainerStatus": "name" | "state" | "lastState" | "ready" | "restartCount" | "image" | "imageID";
    "k8s.io.api.core.v1.DownwardAPIVolumeFile": "path";
    "k8s.io.api.core.v1.EnvVar": "name";
    "k8s.io.api.core.v1.EphemeralContainerCommon": "name" | "resources";
    "k8s.io.api.core.v1.EvictionResponder": "name" | "priority";
    "k8s.io.api.core.v1.FileKeySelector": "volumeName" | "path" | "key";
    "k8s.io.api.core.v1.FlexVolumeSource": "driver";
    "k8s.io.api.core.v1.GCEPersistentDiskVolumeSource": "pdName";
    "k8s.io.api.core.v1.GRPCAction": "port" | "service";
    "k8s.io.api.core.v1.GitRepoVolumeSource": "repository";
    "k8s.io.api.core.v1.GlusterfsVolumeSource": "endpoints" | "path";
    "k8s.io.api.core.v1.HTTPGetAction": "port";
    "k8s.io.api.core.v1.HTTPHeader": "name" | "value";
    "k8s.io.api.core.v1.HostAlias": "ip";
    "k8s.io.api.core.v1.HostIP": "ip";
    "k8s.io.api.core.v1.HostPathVolumeSource": "path";
    "k8s.io.api.core.v1.ISCSIVolumeSource": "targetPortal" | "iqn" | "lun";
    "k8s.io.api.core.v1.KeyToPath": "key" | "path";
    "k8s.io.api.core.v1.LinuxContainerUser": "uid" | "gid";
    "k8s.io.api.core.v1.NFSVolumeSource": "server" | "path";
    "k8s.io.api.core.v1.NodeAllocatableMappedResources": "name" | "quantity";
    "k8s.io.api.core.v1.NodeAllocatableOverheadResources": "name";
    "k8s.io.api.core.v1.NodeAllocatableResourceClaimStatus": "resourceClaimName" | "resources";
    "k8s.io.api.core.v1.NodeSelector": "nodeSelectorTerms";
    "k8s.io.api.core.v1.NodeSelectorRequirement": "key" | "operator";
    "k8s.io.api.core.v1.ObjectFieldSelector": "fieldPath";
    "k8s.io.api.core.v1.PersistentVolumeClaimSpec": "resources";
    "k8s.io.api.core.v1.PersistentVolumeClaimTemplate": "metadata" | "spec";
    "k8s.io.api.core.v1.PersistentVolumeClaimVolumeSource": "claimName";
    "k8s.io.api.core.v1.PhotonPersistentDiskVolumeSource": "pdID";
    "k8s.io.api.core.v1.Pod": "metadata" | "spec" | "status";
    "k8s.io.api.core.v1.PodAffinityTerm": "topologyKey";
    "k8s.io.api.core.v1.PodCondition": "type" | "status" | "lastProbeTime" | "lastTransitionTime";
    "k8s.io.api.core.v1.PodExtendedResourceClaimStatus": "requestMappings" | "resourceClaimName";
    "k8s.io.api.core.v1.PodIP": "ip";
    "k8s.io.api.core.v1.PodOS": "name";
    "k8s.io.api.core.v1.PodReadinessGate": "conditionType";
    "k8s.io.api.core.v1.PodResourceClaim": "name";
    "k8s.io.api.core.v1.PodResourceClaimStatus": "name";
    "k8s.io.api.core.v1.PodSchedulingGate": "name";
    "k8s.io.api.core.v1.PodSpec": "containers";
    "k8s.io.api.core.v1.PodVolumeHealth": "name" | "lastTransitionTime";
    "k8s.io.api.core.v1.PortworxVolumeSource": "volumeID";
    "k8s.io.api.core.v1.PreferredSchedulingTerm": "weight" | "preference";
    "k8s.io.api.core.v1.ProjectedVolumeSource": "sources";
    "k8s.io.api.core.v1.QuobyteVolumeSource": "registry" | "volume";
    "k8s.io.api.core.v1.RBDVolumeSource": "monitors" | "image";
    "k8s.io.api.core.v1.ResourceClaim": "name";
    "k8s.io.api.core.v1.ResourceFieldSelector": "resource" | "divisor";
    "k8s.io.api.core.v1.ResourceHealth": "resourceID";
    "k8s.io.api.core.v1.ResourceStatus": "name";
    "k8s.io.api.core.v1.ScaleIOVolumeSource": "gateway" | "system" | "secretRef";
    "k8s.io.api.core.v1.SeccompProfile": "type";
    "k8s.io.api.core.v1.SecretKeySelector": "key";
    "k8s.io.api.core.v1.ServiceAccountTokenProjection": "path";
    "k8s.io.api.core.v1.SleepAction": "seconds";
    "k8s.io.api.core.v1.Sysctl": "name" | "value";
    "k8s.io.api.core.v1.TCPSocketAction": "port";
    "k8s.io.api.core.v1.TopologySpreadConstraint": "maxSkew" | "topologyKey" | "whenUnsatisfiable";
    "k8s.io.api.core.v1.TypedLocalObjectReference": "apiGroup" | "kind" | "name";
    "k8s.io.api.core.v1.TypedObjectReference": "apiGroup" | "kind" | "name";
    "k8s.io.api.core.v1.Volume": "name";
    "k8s.io.api.core.v1.VolumeDevice": "name" | "devicePath";
    "k8s.io.api.core.v1.VolumeHealthCondition": "status" | "reason";
    "k8s.io.api.core.v1.VolumeMount": "name" | "mountPath";
    "k8s.io.api.core.v1.VolumeMountStatus": "name" | "mountPath";
    "k8s.io.api.core.v1.VsphereVirtualDiskVolumeSource": "volumePath";
    "k8s.io.api.core.v1.WeightedPodAffinityTerm": "weight" | "podAffinityTerm";
    "k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement": "key" | "operator";
    "k8s.io.apimachinery.pkg.apis.meta.v1.OwnerReference": "apiVersion" | "kind" | "name" | "uid";
}
/** As INLINED, for the compiler. */
interface Inlined {
    "k8s.io.api.core.v1.ConfigMapEnvSource": "localObjectReference";
    "k8s.io.api.core.v1.ConfigMapKeySelector": "localObjectReference";
    "k8s.io.api.core.v1.ConfigMapProjection": "localObjectReference";
    "k8s.io.api.core.v1.ConfigMapVolumeSource": "localObjectReference";
    "k8s.io.api.core.v1.EphemeralContainer": "ephemeralContainerCommon";
    "k8s.io.api.core.v1.Probe": "handler";
    "k8s.io.api.core.v1.SecretEnvSource": "localObjectReference";
    "k8s.io.api.core.v1.SecretKeySelector": "localObjectReference";
    "k8s.io.api.core.v1.SecretProjection": "localObjectReference";
    "k8s.io.api.core.v1.Volume": "volumeSource";
}

/** Any JSON object, for the one field whose content Kubernetes leaves open (`managedFields[].fieldsV1`). */
interface JsonObject {
    [key: string]: unknown;
}
/** Messages that are written in a form of their own: in Kubernetes JSON, and for code that is written against client-node. */
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
/** The name of the field of a message whose keys stand in the parent (Go's embedded structs). */
type InlinedKey<Name> = Name extends keyof Inlined ? Inlined[Name] : never;
type OwnKey<Name, K> = K extends "$typeName" | "$unknown" | InlinedKey<Name> ? never : K;
/** In Kubernetes JSON each key may be left out, or null. */
type JsonKeys<T, Name> = {
    [K in keyof T as OwnKey<Name, K>]?: Written<Exclude<T[K], undefined>, "json"> | null;
};
/** Keys that Kubernetes leaves out where they are empty, and whose emptiness the API server refuses. */
interface Validated {
    "k8s.io.api.core.v1.ContainerRestartRule": "action";
    "k8s.io.api.core.v1.ContainerRestartRuleOnExitCodes": "operator";
    "k8s.io.api.core.v1.PodCertificateProjection": "keyType" | "signerName";
}
/** The names of keys that are always there. */
type Present<Name> = (Name extends keyof AlwaysWritten ? AlwaysWritten[Name] : never) | (Name extends keyof Validated ? Validated[Name] : never);
/** A key that is always there, unless its value is a time, which may be null. */
type RequiredKey<T, Name, K extends keyof T> = K extends Present<Name> ? NonNullable<T[K]> extends {
    $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time";
} ? never : K : never;
/** In client-node's models no key is null, and some are always there. */
type V1Keys<T, Name> = {
    [K in keyof T as OwnKey<Name, RequiredKey<T, Name, K>>]-?: Written<NonNullable<T[K]>, "v1">;
} & {
    [K in keyof T as OwnKey<Name, Exclude<K, RequiredKey<T, Name, K>>>]?: Written<NonNullable<T[K]>, "v1">;
};
type Keys<T, Name, F> = F extends "json" ? JsonKeys<T, Name> : V1Keys<T, Name>;
type InlinedKeys<T, Name, F extends Form> = InlinedKey<Name> extends keyof T ? Written<Exclude<T[InlinedKey<Name>], undefined>, F> : unknown;
/** A message as it is written: 64-bit numbers are numbers. */
type Written<T, F extends Form> = T extends bigint ? number : T extends {
    $typeName: infer Name;
} ? Name extends keyof OwnForms[F] ? OwnForms[F][Name] : [InlinedKey<Name>] extends [never] ? Keys<T, Name, F> : Keys<T, Name, F> & InlinedKeys<T, Name, F> : T extends (infer Item)[] ? Written<Item, F>[] : T extends {
    [key: string]: infer Value;
} ? {
    [key: string]: Written<Value, F>;
} : T;
/** A Pod as `kubectl get pod -o json` shows it. Every key is optional, since Kubernetes leaves out what is empty. */
interface PodJson extends Written<Pod, "json"> {
    /** Not on the wire; inside a list there is none. */
    apiVersion?: "v1";
    /** As `apiVersion`. */
    kind?: "Pod";
}
/** A pod that fits where @kubernetes/client-node's `V1Pod` is asked for. */
type V1PodLike = Written<Pod, "v1"> & {
    apiVersion: "v1";
    kind: "Pod";
};

/** Masks of what agents ask for most. */
declare const podMasks: {
    /** Who a pod is. */
    readonly identity: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name">;
    /** Whether it works: phase, conditions, whether it is on its way out. */
    readonly readiness: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name" | "metadata.deletionTimestamp" | "status.phase" | "status.conditions">;
    /** What `podConditions` reads: KEP-4188's PodInfo. Annotations say whether it is static. */
    readonly conditions: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name" | "metadata.annotations" | "metadata.deletionTimestamp" | "status.conditions">;
    /** Where it is reached. */
    readonly network: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name" | "metadata.labels" | "spec.hostNetwork" | "status.podIP" | "status.podIPs" | "status.hostIP">;
    /** Its containers of all kinds, with their IDs, images and states. */
    readonly containers: PodMask<"metadata.uid" | "metadata.namespace" | "metadata.name" | "status.initContainerStatuses" | "status.containerStatuses" | "status.ephemeralContainerStatuses">;
};

/**
 * The number a quantity stands for: CPUs for `cpu`, bytes for `memory` and `ephemeral-storage`.
 * `"250m"` is 0.25, `"1Ki"` is 1024. Above 2^53 the nearest number; `undefined` for a quantity that is absent, malformed or
 * beyond all numbers.
 */
declare function quantityToNumber(quantity: Quantity | string | undefined): number | undefined;

/**
 * A Kubernetes time as a `Date`; `undefined` where there is none, where it is zero (which Kubernetes calls unset), and where
 * it is one that a `Date` cannot hold.
 */
declare function toDate(time: Time | undefined): Date | undefined;

/** Options of {@link toKubernetesJson}. */
interface ToJsonOptions {
    /** The mask that the pod was asked for by: no keys are written but those that it selects. */
    mask: readonly string[] | PodMask;
}
/**
 * A pod as `kubectl get pod -o json --show-managed-fields` shows it, key for key, and sorted as there (but for labels and
 * the like that look like numbers, which JavaScript puts first). 64-bit numbers become numbers, as `JSON.parse` of
 * kubectl's output would give them.
 *
 * A masked pod needs its mask: `toKubernetesJson(pod, { mask })`.
 *
 * @throws PodsError `corrupt` for content that Kubernetes JSON cannot write: a time after the year 9999, managed fields
 *   that are not JSON. The message names the path, and never the value. `invalid-argument` for what is no Pod message.
 */
declare function toKubernetesJson(pod: Pod): PodJson;
declare function toKubernetesJson(pod: AnyMaskedPod, options: ToJsonOptions): PodJson;

/**
 * A whole pod in the form of @kubernetes/client-node's `V1Pod`, for code that is written against it: as its own reader
 * makes it of {@link toKubernetesJson}, with times as `Date` in whole seconds, and undefined where that has null.
 *
 * @throws PodsError, as {@link toKubernetesJson}.
 */
declare function toV1Pod(pod: Pod): V1PodLike;

/** Options of {@link kubeletHttp}. */
interface KubeletHttpOptions {
    /**
     * Where `/pods` lies: `https://127.0.0.1:10250` (the kubelet's secure port), `http://127.0.0.1:10255` (its read-only port), or
     * `https://API-SERVER/api/v1/nodes/NODE/proxy`.
     */
    url: string;
    /** A file with a bearer token; it is read for each request, since such files are rotated. Defaults to none. */
    tokenFile?: string | undefined;
    /** A file with the certificates that the server's has to be signed by, PEM. Defaults to those of Node.js. */
    caFile?: string | undefined;
    /** A file with a client certificate, PEM; with `keyFile`. Both are read for each connection. Defaults to none. */
    certFile?: string | undefined;
    /** A file with the key of `certFile`, PEM. */
    keyFile?: string | undefined;
    /**
     * Take any certificate: anybody between here and the kubelet can then read the token, and tell what pods there are.
     * Defaults to false. Kubelets whose certificate nobody has signed need it, unless `caFile` has that very certificate.
     */
    insecureSkipTlsVerify?: boolean | undefined;
    /**
     * How long a watch waits between two lists, in milliseconds, plus or minus 20 %. Defaults to 10,000. At least 1,000: each
     * costs the kubelet a whole list as JSON. A pod that comes and goes in between is never told.
     */
    pollIntervalMs?: number | undefined;
    /** The largest answer, in bytes. Defaults to 64 MiB; a larger one is the error `too-large`. */
    maxResponseBytes?: number | undefined;
}

/**
 * The pods of a kubelet without the Pods API, from `GET /pods` of its HTTP server or of its proxy in the API server. Watches
 * and informers poll it: each poll is a complete list, so that the same is told as of the Pods API, up to `pollIntervalMs`
 * late. An answer that is the same as the last one costs a hash.
 *
 * Needs `get` on nodes/proxy, or on nodes/pods where kubelets have fine-grained authorization; the read-only port needs
 * nothing, and is often closed.
 *
 * @throws PodsError `invalid-argument`, naming the option; nothing is dialled yet.
 */
declare function kubeletHttp(options: KubeletHttpOptions): PodSource;

/** What a pod of this node has been given. The API has no UID: pods go by namespace and name. Plain data. */
interface PodResources {
    /** The namespace of the pod. */
    readonly namespace: string;
    /** The name of the pod. */
    readonly name: string;
    /** Its containers, and init containers that start again for ever. */
    readonly containers: readonly ContainerResources[];
    /** CPUs that are the pod's and no single container's; none before Kubernetes 1.37. */
    readonly cpuIds: readonly number[];
    /** Memory that is the pod's and no single container's; none before Kubernetes 1.37. */
    readonly memory: readonly MemoryBlock[];
}
/** What a container has been given. */
interface ContainerResources {
    /** The name of the container. */
    readonly name: string;
    /** Devices of device plugins. */
    readonly devices: readonly DeviceGroup[];
    /** CPUs that are this container's alone; none where it shares all of its. */
    readonly cpuIds: readonly number[];
    /** Memory and huge pages that are pinned. */
    readonly memory: readonly MemoryBlock[];
    /** What it has by claims of dynamic resource allocation. */
    readonly claims: readonly ResourceClaim[];
}
/** Devices of one resource on the same NUMA nodes. */
interface DeviceGroup {
    /** As `nvidia.com/gpu`. */
    readonly resourceName: string;
    /** As the device plugin names them. */
    readonly deviceIds: readonly string[];
    /** The NUMA nodes they are near to; none where that is not known. */
    readonly numaNodes: readonly number[];
}
/** A piece of memory on certain NUMA nodes. */
interface MemoryBlock {
    /** `memory`, or a size of huge pages, as `hugepages-2Mi`. */
    readonly type: string;
    /** How much, in bytes. */
    readonly sizeBytes: number;
    /** The NUMA nodes that it lies on. */
    readonly numaNodes: readonly number[];
}
/** A claim, and the devices that it stands for. */
interface ResourceClaim {
    /** The namespace of the claim. */
    readonly namespace: string;
    /** The name of the claim. */
    readonly name: string;
    /** The devices that this container has by it. */
    readonly devices: readonly ClaimedDevice[];
}
/** A device of a driver of dynamic resource allocation. */
interface ClaimedDevice {
    /** The driver, as `gpu.example.com`. */
    readonly driver: string;
    /** The driver's pool that the device is in. */
    readonly pool: string;
    /** The device's name in the pool. */
    readonly device: string;
    /** Which share of the device it is; undefined where it is all of it. */
    readonly shareId: string | undefined;
    /** Names for the container runtime, as `vendor.com/gpu=gpu1`. */
    readonly cdiDevices: readonly string[];
}
/** What the node can give to containers, whether it is given or not. */
interface AllocatableResources {
    /** Devices of device plugins. */
    readonly devices: readonly DeviceGroup[];
    /** CPUs that containers can be given for their own. */
    readonly cpuIds: readonly number[];
    /** Memory and huge pages that can be pinned. */
    readonly memory: readonly MemoryBlock[];
}

/** What {@link PodResourcesClient.probe} finds: a kubelet that answers, or what is in the way of one. */
type PodResourcesProbe = {
    /** The socket that was asked. */
    socketPath: string;
    /** How long the answer took, connecting included. */
    latencyMs: number;
} & ({
    ready: true;
} | {
    ready: false;
    code: PodsErrorCode;
    message: string;
    hint: string;
    retryable: boolean;
});
/**
 * Which container of this node has been given which devices, CPUs and memory: the kubelet's podresources API (v1), on
 * `<rootDir>/pod-resources/kubelet.sock`. It tells no changes: ask again. As `PodsClient` it connects when it is first used,
 * tries again after failures that may pass, keeps to the kubelet's limit, and does not keep the process alive.
 */
declare class PodResourcesClient implements AsyncDisposable {
    #private;
    /**
     * Takes the options of `PodsClient`. Without `socketPath` it is $KUBELET_PODRESOURCES_SOCKET, else below `rootDir`.
     *
     * @throws PodsError `invalid-argument`, `invalid-path` or `unsupported-platform`; nothing is dialled yet.
     */
    constructor(options?: ClientOptions);
    /**
     * What the pods of this node have been given. Pods that are finished are not there.
     *
     * @throws PodsError
     */
    list(options?: CallOptions): Promise<PodResources[]>;
    /**
     * What the node can give, whether it is given or not.
     *
     * @throws PodsError
     */
    getAllocatableResources(options?: CallOptions): Promise<AllocatableResources>;
    /**
     * What one pod has been given. A kubelet that has no such call, as before 1.34, is asked for all pods.
     *
     * @throws PodsError; `not-found` where the kubelet has no such pod.
     */
    get(namespace: string, name: string, options?: CallOptions): Promise<PodResources>;
    /**
     * Asks whether a kubelet answers: ready, or one of the error codes. Tries once, waits for nobody, and never rejects.
     * `timeoutMs` defaults to the client's.
     */
    probe(options?: Pick<CallOptions, "timeoutMs">): Promise<PodResourcesProbe>;
    /** Ends everything: pending calls reject with `closed`. Calling it again gives the same promise. */
    close(): Promise<void>;
    /** As {@link close}. */
    [Symbol.asyncDispose](): Promise<void>;
}

/**
 * What is read of a pod to find it: namespace and name. Of several pods of one name, which fast re-creation leaves for a
 * while, the one that has not ended, is not to go, and is the newest is taken, as far as these fields are there.
 */
interface NamedPod {
    /** What is read of its metadata. */
    readonly metadata?: {
        readonly namespace: string;
        readonly name: string;
        readonly deletionTimestamp?: Time | undefined;
        readonly creationTimestamp?: Time | undefined;
    } | undefined;
    /** What is read of its status. */
    readonly status?: {
        readonly phase?: string;
    } | undefined;
}
/** What a container of a pod has been given, or the pod itself. */
interface Assignment<P> extends Omit<ContainerResources, "name"> {
    /** The pod that it belongs to. */
    readonly pod: P;
    /** The name of the container; undefined for what is the pod's and no single container's. */
    readonly container: string | undefined;
    /** The NUMA nodes of its devices and its memory, each once, sorted. */
    readonly numaNodes: readonly number[];
}
/**
 * Which container of which pod holds what: pods of a `PodsClient` and resources of a `PodResourcesClient`, by namespace and
 * name. Pods that only one of the two lists has are left out: they were not asked at the same moment.
 */
declare function joinPodResources<P extends NamedPod>(pods: Iterable<P>, resources: Iterable<PodResources>): Assignment<P>[];

/** A pod as tests and files give it: Kubernetes JSON, or a message. */
type PodInput = PodJson | Pod;

/** How a pod ends. */
type FinishedPhase = "Succeeded" | "Failed";

/** The kubelets that can be played: the two that ship the API, and the one that the documentation prints. */
type KubeletProfile = "1.37" | "1.36" | "documented";

/** Bytes that end too early: after the pod's identity, or before it. */
type Corruption = "after-identity" | "before-identity";
/** What a container asks for, as Kubernetes JSON has it: `{ requests: { cpu: "100m" }, limits: { memory: "1Gi" } }`. */
type ResourcesJson = NonNullable<NonNullable<NonNullable<PodJson["spec"]>["containers"]>[number]["resources"]>;

/** How often events go wrong by chance, each from 0 (never, the default) to 1. */
interface FaultRates {
    /** Told to nobody. */
    drop?: number | undefined;
    /** Told twice. */
    duplicate?: number | undefined;
    /** Told after the one that follows. */
    swap?: number | undefined;
    /** Told with a pod whose bytes end too early. */
    corrupt?: number | undefined;
}

/**
 * What goes wrong with a kubelet on purpose, ordered by tests. What has a count is about that many to come, 1 by default,
 * and over after that; {@link Faults.clear} ends everything. Nothing is left to chance but {@link Faults.randomEvents},
 * whose seed says what happens.
 */
declare class Faults {
    #private;
    /** The next events are told to nobody, as when a kubelet's broadcaster overflows; no stream is closed. */
    dropEvents(count?: number): void;
    /** The next events are told twice. */
    duplicateEvents(count?: number): void;
    /** The next event is told after the one that follows it, so often: kubelets may broadcast concurrent updates so. */
    swapEvents(count?: number): void;
    /**
     * The next events arrive with a pod whose bytes end too early: after its identity by default, so that a client can tell
     * which pod it was, or within it.
     */
    corruptEvents(count?: number, where?: Corruption): void;
    /** From now on events go wrong by chance: how often each way, and which is decided by the seed. Until {@link clear}. */
    randomEvents(rates: FaultRates, seed: number): void;
    /** In every answer and event this pod's bytes end too early. Until {@link clear}. */
    corruptPod(uid: string, where?: Corruption): void;
    /** The kubelet cannot marshal this pod: calls that would contain it, and watches, end with INTERNAL. Until {@link clear}. */
    failMarshal(uid: string): void;
    /** The next pods that are sent, in whatever answer or event, have so many bytes; no effect on larger ones. */
    oversizePods(bytes: number, count?: number): void;
    /** Answers and events are sent so much later, in milliseconds; 0 ends it. */
    delay(delayMs: number): void;
    /** Nobody listens any more: new connections are refused, those that are open stay. Until {@link clear}. */
    refuse(): void;
    /** The next connections are accepted and closed at once. */
    closeConnections(count?: number): void;
    /** On the next connections something answers that is not HTTP/2. */
    garbage(count?: number): void;
    /** The next connections are accepted, and nothing is ever said on them; or the next requests are never answered. */
    hang(at?: "handshake" | "request", count?: number): void;
    /** How many requests hang now. */
    get hanging(): number;
    /** Ends the connection of the watch on which the n-th event from now, the sync marker counted, has been sent; 0: all now. */
    dropConnection({ afterEvents }?: {
        afterEvents?: number;
    }): void;
    /** Of the n-th event from now, the sync marker counted, half is sent; then its connection ends. */
    truncate({ atEvent }?: {
        atEvent?: number;
    }): void;
    /** Sends GOAWAY on all connections: NO_ERROR (0) by default, which lets open streams go on, or another HTTP/2 code. */
    goAway(code?: number): void;
    /** Sends RST_STREAM on all open streams: CANCEL (8) by default, or another HTTP/2 code. */
    resetStreams(code?: number): void;
    /** Drops all watchers, as those that are too slow: RESOURCE_EXHAUSTED after what is buffered for them. */
    expelWatchers(): void;
    /** Ends all faults. What hangs is answered; resolves when the kubelet listens, where it did not. */
    clear(): Promise<void>;
}

/** Options of `ReferenceKubelet.start`. */
interface ReferenceKubeletOptions {
    /** Which kubelet to play. Defaults to `"1.37"`; `"documented"` serves what the documentation prints. */
    profile?: KubeletProfile | undefined;
    /** The pods there are at first. Defaults to none. Mirror pods are served as the static pods behind them. */
    pods?: Iterable<PodInput> | undefined;
    /**
     * Where to listen. Defaults to a socket in a new directory below the system's temporary one. A directory that is missing
     * is made, with mode 0700, and stays; a socket that nobody listens to is replaced, anything else is refused.
     */
    socketPath?: string | undefined;
    /** Take the place of a socket that somebody listens on. Defaults to false: it is refused. */
    force?: boolean | undefined;
    /** Start as a kubelet that has not read its pod sources, see `setInitializing`. Defaults to false. */
    initializing?: boolean | undefined;
    /**
     * The feature gate `PodsAPI`. Without it kubelets make no directory and nobody listens. Defaults to true, also for 1.36,
     * where kubelets have it off unless told otherwise.
     */
    gate?: boolean | undefined;
    /**
     * Serve the podresources API too, on `pod-resources.sock` beside the other socket. Defaults to false. What containers are
     * given `assignResources` says.
     */
    podResources?: boolean | undefined;
    /**
     * Leave out keys of pods that the schema does not have, as in JSON of a newer cluster. Defaults to false: they are
     * refused.
     */
    allowUnknownKeys?: boolean | undefined;
}
/** Why a kubelet ends a pod, or does not begin it; as in its status. */
interface Reason {
    /** In one word, for `status.reason`. */
    reason?: string | undefined;
    /** For people, for `status.message`. */
    message?: string | undefined;
}
/** Options of `ReferenceKubelet.restart`. */
interface RestartOptions {
    /** How long nobody listens. The file of the socket stays meanwhile. Defaults to 0. */
    downtimeMs?: number | undefined;
    /**
     * How long the new process takes to read its pod sources. 1.37 refuses all calls meanwhile; 1.36 answers with no pods,
     * after half of the time with the static ones. Defaults to 0.
     */
    initializingMs?: number | undefined;
    /**
     * How long the workers take to look at their pods once the sources are read. Until then Ready=True is served as False
     * (1.37), and then each pod is told as ADDED again. Defaults to 100; with 0 they have looked before anybody asks.
     */
    firstStatusMs?: number | undefined;
    /** End as after SIGKILL, connections cut, and not in order. Defaults to false. */
    kill?: boolean | undefined;
    /** Another version afterwards. Defaults to the one that is played. */
    profile?: KubeletProfile | undefined;
    /** The feature gate afterwards. Without it the dead socket's file stays. Defaults to what it is. */
    gate?: boolean | undefined;
}

/** What a container is given in the reference kubelet; none of what is left out. */
type AssignedResources = Partial<Omit<ContainerResources, "name">>;

/**
 * A kubelet without a node: serves the Pods API on a Unix socket from pods that a test gives it. Needs no root and no
 * cluster. It keeps the process alive until {@link ReferenceKubelet.close}.
 *
 * Events go the way they go in a kubelet: 1,000 wait at most to be handed out, what comes on top is lost for everybody, and
 * a watcher that falls 100 behind is dropped. So change pods in turns where more than that happens at once.
 */
declare class ReferenceKubelet implements AsyncDisposable {
    #private;
    /** The socket, for `new PodsClient({ socketPath })`. */
    readonly socketPath: string;
    /** The socket of the podresources API, for `new PodResourcesClient({ socketPath })`; undefined without `podResources`. */
    readonly podResourcesSocketPath: string | undefined;
    /** What goes wrong on purpose. */
    readonly faults: Faults;
    private constructor();
    /**
     * A kubelet that listens.
     *
     * @throws PodsError `invalid-argument` or `invalid-path` for options that cannot be used, `not-a-socket` where something
     *   else lies at the path; nothing is left behind then.
     */
    static start(options?: ReferenceKubeletOptions): Promise<ReferenceKubelet>;
    /** The pods as ListPods answers them now, sorted by UID; copies, so that changing one changes nothing here. */
    get pods(): Pod[];
    /** How many watches are open. */
    get watchers(): number;
    /** How many times an event was lost for everybody, or a watcher dropped (kubelet_pod_watch_events_dropped_total). */
    get dropped(): number;
    /**
     * Adds a pod and tells the watchers ADDED; MODIFIED, where it has a deletion timestamp already. Its UID must be new: those
     * of the API server's pods never recur.
     * With `status: false` its worker has not looked at it yet: nobody is told, 1.37 serves Ready=True as False, and
     * {@link updatePod} gives the first status, which is ADDED.
     */
    addPod(pod: PodInput, { status }?: {
        status?: boolean;
    }): void;
    /**
     * Adds a pod of a manifest on the node and returns its UID, which is made of the manifest: after {@link removePod} and
     * {@link finishPod} the same manifest can be added again, with the same UID.
     */
    addStaticPod(manifest: PodInput): string;
    /** Adds a pod that the kubelet does not admit: ADDED, Failed already, and it never runs. */
    rejectPod(pod: PodInput, { reason, message }?: Reason): void;
    /**
     * Puts a pod in the place of the one with its UID. Watchers are told MODIFIED where its status is another, or where it
     * has a deletion timestamp; else nobody is told, as of labels. A finished pod is told as DELETED again.
     */
    updatePod(pod: PodInput): void;
    /**
     * Runs a pod's containers and makes it ready, and tells MODIFIED. It gets what it lacks: statuses and IDs of containers,
     * conditions, an address. Containers that have ended for good stay so.
     */
    startPod(uid: string): void;
    /** Sets a deletion timestamp, as `kubectl delete` does, and tells MODIFIED. What ends the pod is {@link finishPod}. */
    deletePod(uid: string, { gracePeriodSeconds }?: {
        gracePeriodSeconds?: number;
    }): void;
    /** The kubelet evicts it: MODIFIED with phase Failed, while its containers run. They end with {@link finishPod}. */
    evictPod(uid: string, { reason, message }?: Reason): void;
    /**
     * Ends a pod's containers and tells the watchers MODIFIED, and then DELETED, with its identity only. The pod stays listed
     * until {@link removePod}, as Succeeded, or as Failed where it has failed already, unless `phase` says otherwise.
     */
    finishPod(uid: string, phase?: FinishedPhase): void;
    /** Changes a pod's labels. Of that alone kubelets tell nobody: lists and new watches show it. */
    setLabels(uid: string, labels: Readonly<Record<string, string>>): void;
    /** Asks for other resources of a container: lists show them, events those that it has until {@link allocateResize}. */
    resizePod(uid: string, containerName: string, resources: ResourcesJson): void;
    /** Gives a pod's containers the resources that were asked for, and tells MODIFIED. */
    allocateResize(uid: string): void;
    /**
     * Gives a container devices, CPUs, memory and claims in the place of those that it had, as the kubelet's managers do; only
     * the podresources API tells it. It stays over restarts.
     */
    assignResources(uid: string, containerName: string, resources: AssignedResources): void;
    /** What the node can give, for the podresources API; nothing of what is left out. */
    setAllocatable(resources: Partial<AllocatableResources>): void;
    /**
     * Removes a pod's object. Kubelets tell nobody. One that has not been finished leaves the lists first (a manifest that is
     * gone, a forced delete): {@link finishPod} tells DELETED then.
     */
    removePod(uid: string): void;
    /**
     * Deletes, finishes and removes one pod after the other, as `kubectl drain` makes the kubelet do: all but static pods and
     * those of DaemonSets. Returns their UIDs.
     */
    drain(): Promise<string[]>;
    /**
     * Whether the kubelet has yet to read its pod sources: 1.37 refuses every call while it has, 1.36 answers as if there were
     * no pods. When it has read them, the pods that its workers had not looked at are told.
     */
    setInitializing(initializing: boolean): void;
    /**
     * Stands still until {@link resume}, as a process after SIGSTOP: connections are accepted, and nothing is answered. (HTTP/2
     * itself goes on where a connection was open before.)
     */
    pause(): void;
    /** Goes on where {@link pause} stopped it. */
    resume(): void;
    /**
     * A new process on a new socket, which listens when the promise resolves. Its pods are those that are listed now, seen anew
     * (`kubernetes.io/config.seen`). Restarts follow one another; {@link close} ends a downtime.
     */
    restart(options?: RestartOptions): Promise<void>;
    /** Ends the server and leaves nothing behind. Calling it again gives the same promise. */
    close(): Promise<void>;
    /** As {@link close}. */
    [Symbol.asyncDispose](): Promise<void>;
}

/** What {@link churn} does to a pod. */
type ChurnStep = "none" | "start" | "unready" | "restart" | "terminate" | "finish" | "remove" | "add";
/**
 * One believable change on a node: a pod starts, becomes unready, restarts a container, terminates, finishes, is removed, or a
 * copy of one is added; "none" where there are no pods. Which one, to which pod, is `random`'s choice, so that a seed gives
 * the same story each time. Pods with an owner come and go, so that there are about as many as at first.
 */
declare function churn(kubelet: ReferenceKubelet, random: () => number, now?: Date): ChurnStep;

/**
 * The pods of a text: a Pod, a PodList or List (`kubectl get pods -A -o json`), a JSON array of them, or several documents
 * separated by `---`. JSON, or YAML where the package `yaml` is installed. What is in a pod is not checked here.
 *
 * @throws PodsError `invalid-argument` where the text is neither, or holds something else than pods.
 */
declare function parsePods(text: string): Promise<PodJson[]>;

/** A source of numbers from 0 to 1 that a seed determines (mulberry32). */
declare function seededRandom(seed: number): () => number;

/**
 * The pods of a small, believable node, one of each kind that an agent meets: static pods, DaemonSets, a Deployment, a
 * finished and a running Job, a crash loop, an image that cannot be pulled, an init container in progress, a sidecar, an
 * ephemeral container, an evicted pod, a pod that terminates, one that no probe has found ready. New objects at each
 * call, equal each time.
 */
declare function sampleNode(): PodJson[];

export { Faults,
  PodInformer,
  PodMask,
  PodResourcesClient,
  PodsClient,
  PodsError,
  ReferenceKubelet,
  churn,
  decodePod,
  fromKubernetesJson,
  intOrString,
  isFinished,
  isReady,
  isStatic,
  isTerminating,
  joinPodResources,
  kubeletHttp,
  parseCgroupPath,
  parsePodMask,
  parsePods,
  podConditions,
  podMask,
  podMasks,
  podsApi,
  quantityToNumber,
  readinessUnverified,
  sampleNode,
  seededRandom,
  toDate,
  toKubernetesJson,
  toV1Pod };
export type { AllocatableResources, AnyMaskedPod, AssignedResources, Assignment, AttemptOptions, CallMessage, CallOptions, CgroupIdentity, CheckedPath, ChurnStep, ClaimedDevice, ClientOptions, ConnectionMessage, ContainerResources, ControlEvent, Corruption, DeleteCause, DeviceGroup, FaultRates, FinishedPhase, FromJsonOptions, InformerState, KubeletHttpOptions, KubeletProfile, MaskInput, MaskOptions, MaskedPod, MemoryBlock, NamedPod, PartialPod, PodConditions, PodEvent, PodInput, PodJson, PodOf, PodQuery, PodResources, PodResourcesProbe, PodSource, PodWithAnnotations, PodWithConditions, PodWithContainers, PodWithDeletion, PodWithPodConditions, PodsErrorCode, ProbeResult, Reason, ReferenceKubeletOptions, ReportedCondition, ResourceClaim, ResourcesJson, RestartOptions, RetryMessage, SelectorOptions, SourceEvent, SyncedOptions, ToJsonOptions, V1PodLike, WatchMessage, WatchOptions, WatchSource };
