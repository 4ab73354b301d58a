import { Transport, Interceptor } from '@connectrpc/connect';
import { IntOrString } from './gen/k8s/io/apimachinery/pkg/util/intstr/int_or_string_pb.js';
import { Quantity } from './gen/k8s/io/apimachinery/pkg/api/resource/quantity_pb.js';
import { ObjectMeta, Time, OwnerReference } from './gen/k8s/io/apimachinery/pkg/apis/meta/v1/meta_pb.js';
import { Pod as Pod$1, PodSpec, PodStatus } from './gen/k8s/io/api/core/v1/pod_pb.js';
import { FieldMask } from '@bufbuild/protobuf/wkt';
import { InlinedFields, RequiredFields } from './gen/json-keys.js';

type PodsErrorCode = "socket-missing" | "connection-refused" | "not-permitted" | "not-a-socket" | "invalid-path" | "wrong-peer" | "connection-timeout" | "connection-lost" | "initializing" | "rate-limited" | "dropped" | "stalled" | "too-large" | "not-found" | "not-served" | "corrupt" | "server-error" | "deadline" | "overloaded" | "storage" | "closed" | "invalid-argument" | "unsupported-platform" | "unknown";

interface ErrorContext {
    method?: string | undefined;
    socketPath?: string | undefined;
}

interface PodsErrorInit extends ErrorContext {
    code: PodsErrorCode;
    message: string;
    hint?: string | undefined;
    grpcCode?: number | undefined;
    attempts?: number | undefined;
    elapsedMs?: number | undefined;
    cause?: unknown;
}
declare class PodsError extends Error {
    readonly name = "PodsError";
    readonly code: PodsErrorCode;
    readonly rawMessage: string;
    readonly retryable: boolean;
    readonly hint: string;
    readonly method: string | undefined;
    readonly grpcCode: number | undefined;
    readonly socketPath: string | undefined;
    readonly attempts: number;
    readonly elapsedMs: number | undefined;
    constructor(init: PodsErrorInit);
    static is(value: unknown): value is PodsError;
    static from(value: unknown, context?: ErrorContext): PodsError;
}

interface CallMessage {
    method: string;
    socketPath: string;
    apiVersion: string | undefined;
    attempts: number;
    timeoutMs: number | undefined;
    durationMs: number | undefined;
    error?: unknown;
}
interface RetryMessage {
    method: string;
    socketPath: string;
    attempt: number;
    error: PodsError;
    delayMs: number;
}
interface ConnectionMessage {
    type: "connected" | "failed" | "goaway" | "replaced" | "closed" | "polling";
    socketPath: string;
    error?: PodsError | undefined;
}
type WatchMessage = WatchNews & {
    socketPath: string;
};
type WatchNews = 
{
    type: "opening";
}
 | {
    type: "synced";
    pods: number;
    changes: number;
    unconfirmed: number;
}
 | {
    type: "lost";
    error: PodsError;
    delayMs: number;
}
 | {
    type: "wedged";
}
 | {
    type: "malformed";
    count: number;
};
interface DiagnosticMessages {
    "kubelet-pods:call": CallMessage;
    "kubelet-pods:retry": RetryMessage;
    "kubelet-pods:connection": ConnectionMessage;
    "kubelet-pods:watch": WatchMessage;
}

type CountByCode = {
    readonly [code in PodsErrorCode]?: number;
};
interface ClientCounters {
    readonly streams: number;
    readonly resyncs: number;
    readonly wedged: number;
    readonly malformed: number;
    readonly events: {
        readonly ADDED: number;
        readonly MODIFIED: number;
        readonly DELETED: number;
    };
    readonly losses: CountByCode;
    readonly calls: number;
    readonly retries: CountByCode;
    readonly errors: CountByCode;
    readonly journals: {
        readonly failures: number;
        readonly lostEnds: number;
    };
}

interface CallOptions {
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
    retry?: boolean | undefined;
}

interface Pod extends Pod$1 {
    metadata: ObjectMeta;
    spec: PodSpec;
    status: PodStatus;
}

declare function decodePod(bytes: Uint8Array): Pod;

type Names<T> = Exclude<keyof T & string, "$typeName" | "$unknown">;
type Inner<V> = V extends readonly (infer E)[] ? Inner<E> : V extends {
    readonly $typeName: string;
} ? V : never;
type Checked<T, P extends string, Before extends string = ""> = P extends `${infer Head}.${infer Rest}` ? Head extends Names<T> ? [Inner<NonNullable<T[Head]>>] extends [never] ? `${Before}${Head}` : Checked<Inner<NonNullable<T[Head]>>, Rest, `${Before}${Head}.`> : `${Before}${Names<T>}` : P extends Names<T> ? `${Before}${P}` : `${Before}${Names<T>}`;
type CheckedPath<P extends string> = string extends P ? P : P extends Checked<Pod, P> ? P : Checked<Pod, P>;

declare class PodMask<P extends string = any> {
    #private;
    readonly paths: readonly P[];
    protected readonly exactly: (path: P) => void;
    union(): PodMask<P>;
    union<A extends string>(a: PodMask<A>): PodMask<P | A>;
    union<A extends string, B extends string>(a: PodMask<A>, b: PodMask<B>): PodMask<P | A | B>;
    union<A extends string, B extends string, C extends string>(a: PodMask<A>, b: PodMask<B>, c: PodMask<C>): PodMask<P | A | B | C>;
    union<A extends string, B extends string, C extends string, D extends string>(a: PodMask<A>, b: PodMask<B>, c: PodMask<C>, d: PodMask<D>): PodMask<P | A | B | C | D>;
    union(...others: readonly PodMask[]): PodMask<string>;
    toFieldMask(): FieldMask;
    toString(): string;
    covers(other: PodMask): boolean;
}
interface PodMaskMaker {
    <P extends string>(...paths: readonly CheckedPath<P>[]): PodMask<P>;
    parse(given: string | Readonly<Pick<FieldMask, "paths">>): PodMask<string>;
}
declare const podMask: PodMaskMaker;

type ListedPath<P extends string> = string extends P ? "podMask(...paths) takes paths that are known at run time only" : CheckedPath<P>;
type MaskInput<P extends string = string> = readonly ListedPath<P>[] | PodMask<P>;
type Heads<P extends string> = P extends `${infer Head}.${string}` ? Head : P;
type Rests<P extends string, Head extends string> = P extends `${Head}.${infer Rest}` ? Rest : never;
type MaskedValue<V, P extends string> = V extends readonly (infer E)[] ? MaskedValue<E, P>[] : V extends {
    readonly $typeName: string;
} ? Masked<V, P> : V;
type Masked<T, P extends string> = MaskedFields<Pick<T, (Heads<P> | "$typeName") & keyof T>, P>;
type MaskedFields<S, P extends string> = {
    [K in keyof S]: K extends P | "$typeName" ? S[K] : MaskedValue<S[K], Rests<P, K & string>>;
};
type Partially<V> = V extends readonly (infer E)[] ? Partially<E>[] : V extends {
    readonly $typeName: string;
} ? {
    [K in keyof V as K extends "$typeName" ? K : never]: V[K];
} & {
    [K in keyof V as K extends "$typeName" ? never : K]?: Partially<V[K]>;
} : V;
type PartialPod = Partially<Pod>;
type PodOf<P extends string> = [P] extends [never] ? Pod : string extends P ? PartialPod : Masked<Pod, P>;
type MaskedPod<M extends readonly string[] | PodMask | undefined = undefined> = PodOf<M extends PodMask<infer P> ? P : M extends readonly string[] ? M[number] : never>;
type AnyMaskedPod = Pick<Pod, "$typeName">;

interface SelectorOptions {
    namespace?: string | undefined;
    labelSelector?: string | undefined;
}

type ListTrust = "complete" | "contract" | "partial" | "static";
type SourceEvent = 
{
    type: "CONNECTED";
    server: string;
    connection?: string | undefined;
    resyncIntervalMs?: number;
    reportsDeletions?: boolean;
    lists?: ListTrust | undefined;
    ageMs?: number;
    list?: ListBeside | undefined;
} | {
    type: "ADDED" | "MODIFIED" | "DELETED";
    pod: Uint8Array;
} | {
    type: "SYNCED";
}
 | {
    type: "UNKNOWN";
    code?: number;
};
type ListBeside = (options: ListBesideOptions) => Promise<readonly Uint8Array[] | undefined>;
interface ListBesideOptions {
    signal: AbortSignal;
    onBytes: () => void;
}
type Connected = Extract<SourceEvent, {
    type: "CONNECTED";
}>;
type SourceBatch = readonly Exclude<SourceEvent, Connected>[];
interface AttemptOptions {
    signal: AbortSignal;
    timeoutMs?: number | undefined;
    mask?: PodMask | undefined;
    onList?: ((pods: Uint8Array[]) => void) | undefined;
}
interface PodSource extends WatchSource {
    readonly version?: string | undefined;
    readonly isIndependent?: boolean;
    connect(signal: AbortSignal): Promise<unknown>;
    close(): Promise<void>;
    list(options: AttemptOptions): Promise<Uint8Array[]>;
    get(uid: string, options: AttemptOptions): Promise<Uint8Array>;
}
interface WatchSource {
    open(signal: AbortSignal, mask?: PodMask): AsyncIterable<SourceEvent | SourceBatch>;
    changed(signal: AbortSignal): Promise<void>;
    server(): string | undefined;
    readonly lists?: ListTrust | undefined;
    readonly socketPath: string;
}

interface ClientOptions {
    socketPath?: string | undefined;
    rootDir?: string | undefined;
    timeoutMs?: number | undefined;
    retry?: boolean | undefined;
    kubeletVersion?: string | undefined;
    maxMessageBytes?: number | undefined;
    sources?: readonly PodSource[] | undefined;
    transport?: TransportLike | undefined;
}
interface TransportLike {
    unary(...args: never[]): Promise<unknown>;
    stream(...args: never[]): Promise<unknown>;
}
interface MaskOptions<P extends string = string> {
    mask?: MaskInput<P> | undefined;
}
interface PodQuery<P extends string = string> extends MaskOptions<P>, SelectorOptions {
}
interface ListOptions<P extends string = string> extends CallOptions, PodQuery<P> {
    onUnreadable?: ((uid: string) => void) | undefined;
}
interface WatchOptions<P extends string = string> extends PodQuery<P> {
    signal?: AbortSignal | undefined;
    includeFinished?: boolean | undefined;
    resyncIntervalMs?: number | undefined;
}
interface InformerOptions<P extends string = string> extends WatchOptions<P> {
    retainMs?: number | undefined;
    maxRetained?: number | undefined;
}

declare function connectSource(transport: Transport, options?: {
    kubeletVersion?: ClientOptions["kubeletVersion"];
}): PodSource;

interface KubeletTransportOptions extends Pick<ClientOptions, "socketPath" | "rootDir" | "maxMessageBytes"> {
    interceptors?: Interceptor[] | undefined;
}
interface KubeletTransport extends Transport, AsyncDisposable {
    close(): Promise<void>;
}
declare function kubeletTransport(options?: KubeletTransportOptions): KubeletTransport;

type ContainerKind = "init" | "sidecar" | "regular" | "ephemeral";
interface ContainerRun {
    readonly kind: ContainerKind;
    readonly name: string;
    readonly containerID: string;
    readonly runtime: string;
    readonly image: string;
    readonly imageID: string;
    readonly restartCount: number;
    readonly startedAt: Date | undefined;
    readonly ended: boolean;
}
interface ContainerExit {
    readonly exitCode: number;
    readonly signal: number | undefined;
    readonly reason: string;
    readonly message: string;
    readonly startedAt: Date | undefined;
    readonly finishedAt: Date | undefined;
}

type EndReason = "OOMKilled" | "Evicted" | "exited" | "signalled" | "not-started" | "deleted" | "api-evicted" | "taint-evicted" | "deadline" | "preempted" | "shut-down" | "rejected" | "restarted" | "unknown";

type EndBasis = "status" | "replacement" | "removal" | "none";
interface End {
    readonly reason: EndReason;
    readonly exitCode: number | undefined;
    readonly signal: number | undefined;
    readonly oom: "container" | "process" | undefined;
    readonly resource: string | undefined;
    readonly startedAt: Date | undefined;
    readonly finishedAt: Date | undefined;
    readonly reported: {
        readonly exitCode: number;
        readonly reason: string;
        readonly message: string;
    } | undefined;
}

type UnconfirmedReason = "absent" | "source" | "ending" | "no-uid";

interface UnconfirmedPods {
    readonly count: number;
    readonly reasons: readonly UnconfirmedReason[];
}

type DeleteCause = "finished" | "missing" | "deselected";

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
type ControlEvent = {
    readonly type: "SYNCED";
    readonly initial: boolean;
    readonly count: number;
    readonly unconfirmed: UnconfirmedPods;
    readonly unreadable: ReadonlySet<string>;
} | {
    readonly type: "DISCONNECTED";
    readonly error: PodsError;
};

type ContainerEvent<P = Pod> = {
    readonly type: "STARTED";
    readonly pod: P;
    readonly container: ContainerRun;
    readonly initial: boolean;
} | {
    readonly type: "ENDED";
    readonly pod: P;
    readonly container: ContainerRun;
    readonly end: End;
    readonly basis: EndBasis;
    readonly initial: boolean;
} | {
    readonly type: "MISSED";
    readonly pod: P;
    readonly container: Pick<ContainerRun, "kind" | "name">;
    readonly restartCounts: readonly [from: number, to: number];
} | ControlEvent;

type PodKey = {
    readonly uid: string;
    readonly containerID?: string | undefined;
    readonly containerName?: string | undefined;
    readonly restartCount?: number | undefined;
} | {
    readonly uid?: undefined;
    readonly containerID: string;
} | {
    readonly uid?: undefined;
    readonly containerID?: string | undefined;
    readonly namespace: string;
    readonly name: string;
    readonly containerName?: string | undefined;
    readonly restartCount?: number | undefined;
} | {
    readonly uid?: undefined;
    readonly containerID?: undefined;
    readonly namespace?: undefined;
    readonly ip: string;
};

type Stream<T> = AsyncIterableIterator<T, undefined> & AsyncDisposable;

type Confidence = "confirmed" | "reported" | "likely" | "uncertain";
type UncertainReason = "reused" | "outage" | "unconfirmed" | "idle" | "unreadable" | "clock" | "before-start" | "evicted";
interface Answer<P = Pod> {
    readonly pod: P | undefined;
    readonly container: ContainerRun | undefined;
    readonly confidence: Confidence;
    readonly reason: UncertainReason | undefined;
    readonly others: number;
    readonly gone: {
        readonly at: Date;
        readonly after: Date;
        readonly cause: DeleteCause;
        readonly end: End | undefined;
    } | undefined;
}
type Found<P = Pod> = Answer<P> & {
    readonly pod: P;
};
declare function atLeast(answer: Pick<Answer, "confidence">, least: Confidence): boolean;
type At = Date | number | bigint | {
    readonly monotonicNs: bigint;
};
interface FindOptions {
    at?: At | undefined;
}
interface WaitOptions<P = Pod> extends FindOptions {
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
    until?: ((found: Found<P>) => boolean) | undefined;
}

interface InformerState {
    phase: "connecting" | "synced" | "stale" | "closed";
    since: Date;
    listAgeMs: number | undefined;
    error: PodsError | undefined;
    unconfirmed: UnconfirmedPods;
    unreadable: ReadonlySet<string>;
    statusSource: "kubelet" | "api-server";
    retained: number;
    evicted: number;
    waiting: number;
    counters: ClientCounters;
}

interface HealthOptions {
    maxAgeMs?: number | undefined;
}
interface Health {
    readonly live: boolean;
    readonly ready: boolean;
    readonly ageMs: number | undefined;
    readonly reason: string;
}

type SyncedOptions = Pick<CallOptions, "signal" | "timeoutMs">;
declare class PodInformer<P = Pod> implements AsyncIterable<PodEvent<P>>, AsyncDisposable {
    #private;
    synced(options?: SyncedOptions): Promise<void>;
    confirmAbsent(uids: Iterable<string>, options?: SyncedOptions): Promise<string[]>;
    get state(): InformerState;
    health(options?: HealthOptions): Health;
    get size(): number;
    get(key: PodKey, ...more: []): P | undefined;
    find(key: PodKey, options?: FindOptions): Answer<P>;
    waitFor(key: PodKey, options?: WaitOptions<P>): Promise<Found<P>>;
    list(filter?: (pod: P) => boolean): P[];
    [Symbol.asyncIterator](): Stream<PodEvent<P>>;
    watchContainers(options?: Pick<CallOptions, "signal">): Stream<ContainerEvent<P>>;
    snapshots(options?: Pick<CallOptions, "signal">): Stream<readonly P[]>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

type ProbeResult = {
    socketPath: string;
    apiVersion: string | undefined;
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
declare class PodsClient implements AsyncDisposable {
    #private;
    constructor(options?: ClientOptions);
    listPods<P extends string = never>(options?: ListOptions<P>): Promise<PodOf<P>[]>;
    getPod<P extends string = never>(uid: string, options?: CallOptions & MaskOptions<P>): Promise<PodOf<P>>;
    probe(options?: Pick<CallOptions, "timeoutMs">): Promise<ProbeResult>;
    watchPods<P extends string = never>(options?: WatchOptions<P>): Stream<PodEvent<PodOf<P>>>;
    watchContainers<P extends string = never>(options?: WatchOptions<P>): Stream<ContainerEvent<PodOf<P>>>;
    informer<P extends string = never>(options?: InformerOptions<P>): PodInformer<PodOf<P>>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
declare function podsApi(options?: Pick<ClientOptions, "socketPath" | "rootDir" | "kubeletVersion" | "maxMessageBytes">): PodSource;

type Item<V> = NonNullable<V> extends readonly (infer E)[] ? E : NonNullable<V>;
type IsWhole<V, Full> = Full extends {
    readonly $typeName: string;
} ? keyof Full extends keyof V ? true : false : true;
type Has<T, Full, Path extends string> = Path extends `${infer Head}.${infer Rest}` ? Head extends keyof T & keyof Full ? Has<Item<T[Head]>, Item<Full[Head]>, Rest> : false : Path extends keyof T & keyof Full ? IsWhole<Item<T[Path]>, Item<Full[Path]>> : false;
type Missing<T, Path extends string> = Path extends string ? (Has<T, Pod, Path> extends true ? never : Path) : never;
type Needs<P, Path extends string> = PartialPod extends P ? {
    "the mask is known at run time only": Path;
} : [Missing<P, Path>] extends [never] ? unknown : {
    "the mask lacks": Missing<P, Path>;
};

interface CgroupLayout {
    readonly driver: "systemd" | "cgroupfs";
    readonly version: 1 | 2;
    readonly root: string;
}
interface CgroupConfig {
    readonly cgroupDriver?: string;
    readonly cgroupRoot?: string;
}
declare function cgroupLayout(options?: {
    cgroupRoot?: string | undefined;
    kubelet?: CgroupConfig | undefined;
}): Promise<CgroupLayout>;
declare const CGROUP_PATHS: readonly ["metadata.uid", "metadata.annotations", "status.qosClass"];
type CgroupPaths = (typeof CGROUP_PATHS)[number];
declare function cgroupPathOf<P>(pod: Pod | (P & Needs<P, CgroupPaths>), container: Pick<ContainerRun, "containerID" | "runtime"> | undefined, layout: CgroupLayout): string;

declare function cgroupIDsOf<P>(pod: Pod | (P & Needs<P, (typeof CGROUP_PATHS)[number]>), container: Pick<ContainerRun, "containerID" | "runtime">, layout: CgroupLayout): Promise<bigint[]>;

type CgroupPath = {
    readonly uid: string;
    readonly containerID: string | undefined;
} | {
    readonly uid: undefined;
    readonly containerID: string;
};
declare function parseCgroupPath(text: string): CgroupPath | undefined;

type LogPath = {
    readonly namespace: string;
    readonly name: string;
    readonly containerName: string | undefined;
} & ({
    readonly uid: string;
    readonly restartCount: number | undefined;
    readonly rotated: boolean;
} | {
    readonly uid: undefined;
    readonly containerID: string | undefined;
    readonly restartCount: undefined;
    readonly rotated: false;
});
declare function parseLogPath(path: string): LogPath | undefined;
declare const LOG_PATHS: readonly ["metadata.uid", "metadata.namespace", "metadata.name"];
type LogPaths = (typeof LOG_PATHS)[number];
declare function logDirectoryOf<P>(pod: Pod | (P & Needs<P, LogPaths>), options?: {
    logRoot?: string | undefined;
}): string;
declare function logPathOf<P>(pod: Pod | (P & Needs<P, LogPaths>), container: Pick<ContainerRun, "name" | "restartCount">, options?: {
    logRoot?: string | undefined;
}): string;

interface ProcessIdentity {
    readonly pid: number;
    readonly startTicks: number;
    readonly cgroup: CgroupPath | undefined;
}
declare function processIdentity(pid: number, options?: {
    procRoot?: string | undefined;
}): Promise<ProcessIdentity | undefined>;

type SelfIdentity = ({
    readonly uid: string;
} | {
    readonly uid: undefined;
    readonly namespace: string;
    readonly name: string;
}) & {
    readonly containerID?: string | undefined;
    readonly containerName?: string | undefined;
    readonly nodeName?: string | undefined;
    readonly from: "environment" | "mountinfo" | "cgroup" | "token";
};
declare function selfIdentity(options?: {
    procRoot?: string | undefined;
    env?: NodeJS.ProcessEnv | undefined;
}): Promise<SelfIdentity | undefined>;

interface VolumePath {
    readonly uid: string;
    readonly plugin: string | undefined;
    readonly volumeName: string;
}
declare function parseVolumePath(path: string): VolumePath | undefined;
declare const VOLUMES_PATHS: readonly ["metadata.uid"];
type VolumesPaths = (typeof VOLUMES_PATHS)[number];
declare function volumesDirectoryOf<P>(pod: Pod | (P & Needs<P, VolumesPaths>), options?: {
    rootDir?: string | undefined;
}): string;

declare const CONTAINERS_PATHS: readonly ["spec.initContainers.name", "spec.initContainers.restartPolicy", "spec.containers.name", "spec.ephemeralContainers.ephemeralContainerCommon.name", "status.initContainerStatuses", "status.containerStatuses", "status.ephemeralContainerStatuses"];
type ContainersPaths = (typeof CONTAINERS_PATHS)[number];
type SpecOf<P> = P extends {
    spec?: {
        containers: readonly (infer S)[];
    } | undefined;
} ? S : never;
type StatusOf<P> = P extends {
    status?: {
        containerStatuses: readonly (infer S)[];
    } | undefined;
} ? S : never;
interface PodContainer<P = Pod> {
    readonly kind: ContainerKind;
    readonly name: string;
    readonly spec: SpecOf<P> | undefined;
    readonly status: StatusOf<P> | undefined;
    readonly run: ContainerRun | undefined;
    readonly state: "waiting" | "running" | "ended" | undefined;
    readonly ready: boolean;
    readonly started: boolean;
    readonly restartCount: number;
    readonly exit: ContainerExit | undefined;
    readonly lastExit: ContainerExit | undefined;
}
declare function containersOf<P>(pod: P & Needs<P, ContainersPaths>): PodContainer<P>[];
declare function containerOf<P>(pod: P & Needs<P, ContainersPaths>, nameOrID: string): PodContainer<P> | undefined;

declare const ENDPOINTS_PATHS: readonly ["metadata.deletionTimestamp", "spec.initContainers.name", "spec.initContainers.restartPolicy", "spec.initContainers.ports", "spec.containers.name", "spec.containers.ports", "status.phase", "status.podIP", "status.podIPs", "metadata.annotations", "spec.initContainers.readinessProbe", "spec.containers.readinessProbe", "status.conditions"];
type EndpointsPaths = (typeof ENDPOINTS_PATHS)[number];
interface PodEndpoint {
    readonly ip: string;
    readonly port: number;
    readonly portName: string;
    readonly protocol: string;
    readonly container: string | undefined;
    readonly ready: boolean | undefined;
    readonly serving: boolean | undefined;
    readonly terminating: boolean;
}
declare function endpointsOf<P>(pod: Pod | (P & Needs<P, EndpointsPaths>), port?: string | number, protocol?: "TCP" | "UDP" | "SCTP"): PodEndpoint[];

interface FromJsonOptions {
    allowUnknownKeys?: boolean;
}
declare function fromKubernetesJson(json: unknown, options?: FromJsonOptions): Pod;

declare function intOrString(value: IntOrString): number | string;
declare function intOrString(value: IntOrString | undefined): number | string | undefined;

interface JsonObject {
    [key: string]: unknown;
}
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
type InlinedKey<Name> = Name extends keyof InlinedFields ? InlinedFields[Name] : never;
type OwnKey<Name, K> = K extends "$typeName" | "$unknown" | InlinedKey<Name> ? never : K;
type JsonKeys<T, Name> = {
    [K in keyof T as OwnKey<Name, K>]?: Written<Exclude<T[K], undefined>, "json"> | null;
};
type Present<Name> = Name extends keyof RequiredFields ? RequiredFields[Name] : never;
type RequiredKey<T, Name, K extends keyof T> = K extends Present<Name> ? NonNullable<T[K]> extends {
    $typeName: "k8s.io.apimachinery.pkg.apis.meta.v1.Time";
} ? never : K : never;
type V1Keys<T, Name> = {
    [K in keyof T as OwnKey<Name, RequiredKey<T, Name, K>>]-?: Written<NonNullable<T[K]>, "v1">;
} & {
    [K in keyof T as OwnKey<Name, Exclude<K, RequiredKey<T, Name, K>>>]?: Written<NonNullable<T[K]>, "v1">;
};
type Keys<T, Name, F> = F extends "json" ? JsonKeys<T, Name> : V1Keys<T, Name>;
type InlinedKeys<T, Name, F extends Form> = InlinedKey<Name> extends keyof T ? Written<Exclude<T[InlinedKey<Name>], undefined>, F> : unknown;
type Written<T, F extends Form> = T extends bigint ? number : T extends {
    $typeName: infer Name;
} ? Name extends keyof OwnForms[F] ? OwnForms[F][Name] : [InlinedKey<Name>] extends [never] ? Keys<T, Name, F> : Keys<T, Name, F> & InlinedKeys<T, Name, F> : T extends (infer Item)[] ? Written<Item, F>[] : T extends {
    [key: string]: infer Value;
} ? {
    [key: string]: Written<Value, F>;
} : T;
interface PodJson extends Written<Pod$1, "json"> {
    apiVersion?: "v1";
    kind?: "Pod";
}
type V1PodLike = Written<Pod$1, "v1"> & {
    apiVersion: "v1";
    kind: "Pod";
};

declare const CONDITIONS_PATHS: readonly ["metadata.uid", "metadata.namespace", "metadata.name", "metadata.annotations", "metadata.deletionTimestamp", "spec.initContainers.readinessProbe", "spec.containers.readinessProbe", "status.conditions"];
type ConditionsPaths = (typeof CONDITIONS_PATHS)[number];
interface ReportedCondition {
    readonly type: string;
    readonly status: string;
    readonly lastProbeTime: Date | undefined;
    readonly lastTransitionTime: Date | undefined;
    readonly reason: string;
    readonly message: string;
}
interface PodConditions {
    readonly uid: string;
    readonly namespace: string;
    readonly name: string;
    readonly static: boolean;
    readonly conditions: readonly ReportedCondition[];
    readonly deletionTimestamp: Date | undefined;
    readonly readinessUnverifiedUntil: Date | undefined;
}
declare function conditionsOf<P>(pod: Pod | (P & Needs<P, ConditionsPaths>)): PodConditions;

declare const READY_PATHS: readonly ["metadata.deletionTimestamp", "status.phase", "status.conditions"];
type ReadyPaths = (typeof READY_PATHS)[number];
declare const FINISHED_PATHS: readonly ["status.phase", "status.initContainerStatuses", "status.containerStatuses", "status.ephemeralContainerStatuses"];
type FinishedPaths = (typeof FINISHED_PATHS)[number];
declare const STATIC_PATHS: readonly ["metadata.annotations"];
type StaticPaths = (typeof STATIC_PATHS)[number];
declare const TERMINATING_PATHS: readonly ["metadata.deletionTimestamp"];
type TerminatingPaths = (typeof TERMINATING_PATHS)[number];
declare function isReady<P>(pod: Pod | (P & Needs<P, ReadyPaths>)): boolean;
declare function isFinished<P>(pod: Pod | (P & Needs<P, FinishedPaths>)): boolean;
declare function isStatic<P>(pod: Pod | (P & Needs<P, StaticPaths>)): boolean;
declare function isTerminating<P>(pod: Pod | (P & Needs<P, TerminatingPaths>)): boolean;

declare function quantityToNumber(quantity: Quantity | string | undefined): number | undefined;

declare const UNVERIFIED_PATHS: readonly ["metadata.annotations", "spec.initContainers.readinessProbe", "spec.containers.readinessProbe", "status.conditions"];
type UnverifiedPaths = (typeof UNVERIFIED_PATHS)[number];
declare function readinessUnverifiedUntil<P>(pod: Pod | (P & Needs<P, UnverifiedPaths>)): Date | undefined;

declare const RESOURCES_PATHS: readonly ["spec.initContainers.name", "spec.initContainers.restartPolicy", "spec.initContainers.resources", "spec.containers.name", "spec.containers.resources", "spec.overhead", "spec.resources", "status.conditions", "status.initContainerStatuses.name", "status.initContainerStatuses.resources", "status.initContainerStatuses.allocatedResources", "status.containerStatuses.name", "status.containerStatuses.resources", "status.containerStatuses.allocatedResources", "status.resources", "status.allocatedResources"];
type ResourcesPaths = (typeof RESOURCES_PATHS)[number];
declare const QOS_PATHS: readonly ["status.qosClass"];
type QosPaths = (typeof QOS_PATHS)[number];
interface EffectiveResources {
    readonly requests: Readonly<Record<string, number>>;
    readonly limits: Readonly<Record<string, number>>;
}
declare function resourcesOf<P>(pod: Pod | (P & Needs<P, ResourcesPaths>), options?: {
    overhead?: boolean | undefined;
    actual?: boolean | undefined;
}): EffectiveResources;
declare function qosOf<P>(pod: Pod | (P & Needs<P, QosPaths>)): "Guaranteed" | "Burstable" | "BestEffort" | undefined;

declare function toDate(time: Time | undefined): Date | undefined;

interface ToJsonOptions {
    mask: readonly string[] | PodMask;
}
declare function toKubernetesJson(pod: AnyMaskedPod): PodJson;
declare function toKubernetesJson(pod: AnyMaskedPod, options: ToJsonOptions): PodJson;

declare function toV1Pod<P>(pod: Pod | (P & Needs<P, "metadata" | "spec" | "status">)): V1PodLike;

declare const WORKLOAD_PATHS: readonly ["metadata.name", "metadata.labels", "metadata.annotations", "metadata.creationTimestamp", "metadata.ownerReferences", "spec.nodeName"];
type WorkloadPaths = (typeof WORKLOAD_PATHS)[number];
type Owner = Readonly<Pick<OwnerReference, "apiVersion" | "kind" | "name" | "uid">>;
interface Workload {
    readonly kind: string;
    readonly name: string;
    readonly derived: boolean;
    readonly owner: Owner | undefined;
}
declare function workloadOf<P>(pod: Pod | (P & Needs<P, WorkloadPaths>)): Workload | undefined;

declare const IDENTITY_PATHS: readonly ["metadata.uid", "metadata.namespace", "metadata.name"];
declare const NETWORK: readonly ["metadata.labels", "spec.hostNetwork", "status.podIP", "status.podIPs", "status.hostIP"];
declare const CONTAINER_PATHS: readonly ["status.initContainerStatuses", "status.containerStatuses", "status.ephemeralContainerStatuses"];
type Identity = (typeof IDENTITY_PATHS)[number];
type Mask<Paths extends readonly string[]> = PodMask<Paths[number]>;
declare const podMasks: {
    readonly identity: PodMask<Identity>;
    readonly readiness: PodMask<Identity | (typeof READY_PATHS)[number] | (typeof TERMINATING_PATHS)[number] | (typeof UNVERIFIED_PATHS)[number]>;
    readonly network: PodMask<Identity | (typeof NETWORK)[number]>;
    readonly containers: PodMask<Identity | (typeof CONTAINER_PATHS)[number]>;
    readonly isReady: Mask<typeof READY_PATHS>;
    readonly isFinished: Mask<typeof FINISHED_PATHS>;
    readonly isStatic: Mask<typeof STATIC_PATHS>;
    readonly isTerminating: Mask<typeof TERMINATING_PATHS>;
    readonly readinessUnverifiedUntil: Mask<typeof UNVERIFIED_PATHS>;
    readonly endpointsOf: Mask<typeof ENDPOINTS_PATHS>;
    readonly containersOf: Mask<typeof CONTAINERS_PATHS>;
    readonly cgroupPathOf: Mask<typeof CGROUP_PATHS>;
    readonly conditionsOf: Mask<typeof CONDITIONS_PATHS>;
    readonly workloadOf: Mask<typeof WORKLOAD_PATHS>;
    readonly resourcesOf: Mask<typeof RESOURCES_PATHS>;
    readonly qosOf: Mask<typeof QOS_PATHS>;
    readonly logPathOf: Mask<typeof LOG_PATHS>;
    readonly logDirectoryOf: Mask<typeof LOG_PATHS>;
    readonly volumesDirectoryOf: Mask<typeof VOLUMES_PATHS>;
};

interface EndRecord {
    readonly uid: string;
    readonly namespace: string;
    readonly name: string;
    readonly podIPs: readonly string[];
    readonly workload: Workload | undefined;
    readonly container: {
        readonly name: string;
        readonly kind: ContainerKind;
        readonly containerID: string;
        readonly restartCount: number;
    } | undefined;
    readonly end: End;
    readonly bootID: string;
    readonly recordedAt: Date;
}

interface JournalOptions {
    directory: string;
    maxBytes?: number | undefined;
    signal?: AbortSignal | undefined;
}
interface JournalState {
    readonly written: number;
    readonly waiting: number;
    readonly dropped: number;
    readonly failures: number;
    readonly error: PodsError | undefined;
}
interface Journal extends AsyncIterable<EndRecord>, AsyncDisposable {
    readonly state: JournalState;
}
declare function openJournal(pods: PodsClient, options: JournalOptions): Promise<Journal>;

interface JournalQuery {
    directory: string;
    uid?: string | undefined;
    namespace?: string | undefined;
    name?: string | undefined;
    containerID?: string | undefined;
    ip?: string | undefined;
    since?: Date | undefined;
    limit?: number | undefined;
}
declare function readJournal(query: JournalQuery): AsyncGenerator<EndRecord, void, undefined>;

declare const MORE: readonly ["spec.hostname", "spec.containers.name", "spec.containers.image", "spec.initContainers.name", "spec.initContainers.image", "status.podIP", "status.startTime"];
type IdentityPaths = "metadata.uid" | "metadata.namespace" | "metadata.name";
type AttributePaths = IdentityPaths | (typeof WORKLOAD_PATHS)[number] | (typeof MORE)[number];
declare const attributesMask: PodMask<AttributePaths>;
type PodAttributes = Record<string, string | number | string[]>;
interface AttributesOptions {
    labels?: ((key: string) => string | undefined) | undefined;
    annotations?: ((key: string) => string | undefined) | undefined;
    service?: boolean | undefined;
}
declare function attributesOf<P>(pod: Pod | (P & Needs<P, IdentityPaths>), container?: ContainerRun | undefined, options?: AttributesOptions): PodAttributes;

type CounterPaths = "metadata.namespace" | (typeof WORKLOAD_PATHS)[number];
interface CounterMeter {
    createCounter(name: string, options: {
        description: string;
        unit: string;
    }): {
        add(value: number, attributes: Record<string, string>): void;
    };
}
declare function containerEndCounter(meter: CounterMeter): <P>(end: ContainerEvent<P & Needs<P, CounterPaths>> | EndRecord) => void;

type Attributes = Record<string, string>;
interface MetricMeter {
    createHistogram(name: string, options: {
        description: string;
        unit: string;
        advice: {
            explicitBucketBoundaries: number[];
        };
    }): {
        record(value: number, attributes: Attributes): void;
    };
    createObservableGauge(name: string, options: {
        description: string;
        unit: string;
    }): object;
    createObservableCounter(name: string, options: {
        description: string;
        unit: string;
    }): object;
    createObservableUpDownCounter(name: string, options: {
        description: string;
        unit: string;
    }): object;
    addBatchObservableCallback(callback: (result: MetricResult) => void, observables: object[]): void;
}
interface MetricResult {
    observe(instrument: object, value: number, attributes: Attributes): void;
}
interface MetricsOptions {
    name?: string | undefined;
}
declare function registerMetrics<P>(informer: PodInformer<P>, meter: MetricMeter, options?: MetricsOptions): Disposable;

interface PodResourceDetectorOptions {
    env?: NodeJS.ProcessEnv | undefined;
    procRoot?: string | undefined;
}
interface PodResourceDetector {
    detect(): {
        attributes: Record<string, Promise<string | undefined>>;
    };
}
declare function podResourceDetector(options?: PodResourceDetectorOptions): PodResourceDetector;

interface PodResources {
    readonly namespace: string;
    readonly name: string;
    readonly containers: readonly ContainerResources[];
    readonly cpuIds: readonly number[];
    readonly memory: readonly MemoryBlock[];
}
interface ContainerResources {
    readonly name: string;
    readonly devices: readonly DeviceGroup[];
    readonly cpuIds: readonly number[];
    readonly memory: readonly MemoryBlock[];
    readonly claims: readonly ResourceClaim[];
}
interface DeviceGroup {
    readonly resourceName: string;
    readonly deviceIDs: readonly string[];
    readonly numaNodes: readonly number[];
}
interface MemoryBlock {
    readonly type: string;
    readonly sizeBytes: number;
    readonly numaNodes: readonly number[];
}
interface ResourceClaim {
    readonly namespace: string;
    readonly name: string;
    readonly devices: readonly ClaimedDevice[];
}
interface ClaimedDevice {
    readonly driver: string;
    readonly pool: string;
    readonly device: string;
    readonly shareId: string | undefined;
    readonly cdiDevices: readonly string[];
}
interface AllocatableResources {
    readonly devices: readonly DeviceGroup[];
    readonly cpuIds: readonly number[];
    readonly memory: readonly MemoryBlock[];
}

interface CpuGroup {
    readonly cpuIds: readonly number[];
    readonly numaNodes: readonly number[];
}
interface FreeResources {
    readonly devices: readonly DeviceGroup[];
    readonly cpus: readonly CpuGroup[];
    readonly memory: readonly MemoryBlock[];
}
declare function freeResources({ devices, cpuIds, memory }: AllocatableResources, assigned: readonly PodResources[], numaNodeOfCpu?: ReadonlyMap<number, number>): FreeResources;

interface NamedPod {
    readonly metadata?: {
        readonly namespace: string;
        readonly name: string;
        readonly deletionTimestamp?: Time | undefined;
        readonly creationTimestamp?: Time | undefined;
    } | undefined;
    readonly status?: {
        readonly phase?: string;
    } | undefined;
}
interface Assignment<P> extends Omit<ContainerResources, "name"> {
    readonly pod: P;
    readonly container: string | undefined;
    readonly finished: boolean | undefined;
    readonly numaNodes: readonly number[];
}
declare function joinPodResources<P extends NamedPod>(pods: Iterable<P>, resources: Iterable<PodResources>): Assignment<P>[];

declare function numaNodesOfCpus(sysRoot?: string): Promise<Map<number, number>>;

type PodResourcesProbe = {
    socketPath: string;
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
declare class PodResourcesClient implements AsyncDisposable {
    #private;
    constructor(options?: ClientOptions);
    list(options?: CallOptions): Promise<PodResources[]>;
    getAllocatableResources(options?: CallOptions): Promise<AllocatableResources>;
    get(namespace: string, name: string, options?: CallOptions): Promise<PodResources>;
    probe(options?: Pick<CallOptions, "timeoutMs">): Promise<PodResourcesProbe>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

interface KubeletHttpOptions {
    url: string;
    tokenFile?: string | undefined;
    caFile?: string | undefined;
    certFile?: string | undefined;
    keyFile?: string | undefined;
    insecureSkipTlsVerify?: boolean | undefined;
    pollIntervalMs?: number | undefined;
    standalone?: boolean | undefined;
    maxResponseBytes?: number | undefined;
}

declare function kubeletHttp(options: KubeletHttpOptions): PodSource;

interface KubeletConfig {
    readonly cgroupDriver?: string;
    readonly cgroupRoot?: string;
    readonly podLogsDir?: string;
    readonly containerLogMaxSize?: string;
    readonly containerLogMaxFiles?: number;
    readonly maxPods?: number;
    readonly cpuManagerPolicy?: string;
    readonly memoryManagerPolicy?: string;
    readonly topologyManagerPolicy?: string;
    readonly featureGates?: Readonly<Record<string, boolean>>;
    readonly evictionHard?: Readonly<Record<string, string>>;
    readonly [key: string]: unknown;
}
interface CpuStats {
    readonly time: string;
    readonly usageNanoCores?: number;
    readonly usageCoreNanoSeconds?: number;
}
interface MemoryStats {
    readonly time: string;
    readonly availableBytes?: number;
    readonly usageBytes?: number;
    readonly workingSetBytes?: number;
    readonly rssBytes?: number;
}
interface FsStats {
    readonly time: string;
    readonly availableBytes?: number;
    readonly capacityBytes?: number;
    readonly usedBytes?: number;
    readonly inodesFree?: number;
    readonly inodesUsed?: number;
}
interface ContainerStats {
    readonly name: string;
    readonly startTime?: string;
    readonly cpu?: CpuStats;
    readonly memory?: MemoryStats;
    readonly rootfs?: FsStats;
    readonly logs?: FsStats;
    readonly [key: string]: unknown;
}
interface PodStats {
    readonly podRef: {
        readonly namespace: string;
        readonly name: string;
        readonly uid: string;
    };
    readonly startTime?: string;
    readonly containers?: readonly ContainerStats[];
    readonly cpu?: CpuStats;
    readonly memory?: MemoryStats;
    readonly "ephemeral-storage"?: FsStats;
    readonly [key: string]: unknown;
}
interface StatsSummary {
    readonly node: {
        readonly nodeName: string;
        readonly cpu?: CpuStats;
        readonly memory?: MemoryStats;
        readonly fs?: FsStats;
        readonly [key: string]: unknown;
    };
    readonly pods: ReadonlyMap<string, PodStats>;
}

interface HttpCallOptions {
    signal?: AbortSignal | undefined;
    timeoutMs?: number | undefined;
}
interface ContainerLogsOptions extends HttpCallOptions {
    container: string;
    follow?: boolean | undefined;
    previous?: boolean | undefined;
    timestamps?: boolean | undefined;
    tailLines?: number | undefined;
    sinceSeconds?: number | undefined;
    limitBytes?: number | undefined;
}
type KubeletMetricsOf = "kubelet" | "cadvisor" | "resource" | "probes";
declare class KubeletHttpClient implements AsyncDisposable {
    #private;
    constructor(options: KubeletHttpOptions);
    configz(options?: HttpCallOptions): Promise<KubeletConfig>;
    statsSummary(options?: HttpCallOptions): Promise<StatsSummary>;
    runningPods(options?: HttpCallOptions): Promise<Pod[]>;
    containerLogs(pod: {
        readonly namespace: string;
        readonly name: string;
    }, options: ContainerLogsOptions): AsyncIterable<Uint8Array>;
    metrics(of?: KubeletMetricsOf, options?: HttpCallOptions): AsyncIterable<Uint8Array>;
    healthz(options?: HttpCallOptions): Promise<boolean>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

type ContainerJson = NonNullable<NonNullable<PodJson["spec"]>["containers"]>[number];
type ResourcesJson = NonNullable<ContainerJson["resources"]>;

type GivenExit = Partial<Pick<ContainerExit, "exitCode" | "signal" | "reason" | "message">>;

type EvictionReason = "Evicted" | "Preempting" | "Terminated" | "DeadlineExceeded";
type DeletionReason = "EvictionByEvictionAPI" | "PreemptionByScheduler" | "DeletionByTaintManager" | "DeletionByPodGC";

type PodInput = PodJson | Pod | Pod$1;
declare function maskedPod<const P extends string = never>(mask: MaskInput<P>, pod: PodInput): PodOf<P>;

type KubeletProfile = "1.38" | "1.37" | "1.36" | "v1beta1" | "v1" | "documented";

interface ReferenceKubeletOptions {
    profile?: KubeletProfile | undefined;
    pods?: Iterable<PodInput> | undefined;
    socketPath?: string | undefined;
    force?: boolean | undefined;
    initializing?: boolean | undefined;
    gate?: boolean | undefined;
    podResources?: boolean | undefined;
    http?: boolean | undefined;
    procRoot?: string | undefined;
    cgroupRoot?: string | undefined;
    now?: (() => Date) | undefined;
    allowUnknownKeys?: boolean | undefined;
}
interface EvictionOptions {
    reason?: EvictionReason | undefined;
    message?: string | undefined;
}
interface FinishOptions {
    sendsAsNew?: boolean;
}
interface DeletionOptions {
    gracePeriodSeconds?: number | undefined;
    reason?: DeletionReason | undefined;
}
interface RejectionOptions {
    reason?: string | undefined;
    message?: string | undefined;
}
interface RestartOptions {
    downtimeMs?: number | undefined;
    initializingMs?: number | undefined;
    firstStatusMs?: number | undefined;
    firstProbesMs?: number | undefined;
    kill?: boolean | undefined;
    profile?: KubeletProfile | undefined;
    gate?: boolean | undefined;
}
type AssignedResources = Partial<Omit<ContainerResources, "name">>;

type FinishedPhase = "Succeeded" | "Failed";

type Corruption = "after-identity" | "before-identity";

interface FaultRates {
    drop?: number | undefined;
    duplicate?: number | undefined;
    swap?: number | undefined;
    corrupt?: number | undefined;
}

declare class Faults {
    #private;
    dropEvents(count?: number): void;
    duplicateEvents(count?: number): void;
    swapEvents(count?: number): void;
    corruptEvents(count?: number, where?: Corruption): void;
    randomEvents(rates: FaultRates, seed: number): void;
    corruptPod(uid: string, where?: Corruption): void;
    failMarshal(uid: string): void;
    oversizePods(bytes: number, count?: number): void;
    delay(delayMs: number): void;
    refuse(): void;
    closeConnections(count?: number): void;
    garbage(count?: number): void;
    hang(at?: "handshake" | "request", count?: number): void;
    get hanging(): number;
    dropConnection(options?: {
        afterEvents?: number;
    }): void;
    truncate(options?: {
        atEvent?: number;
    }): void;
    goAway(code?: number): void;
    resetStreams(code?: number): void;
    expelWatchers(): void;
    clear(): Promise<void>;
}

declare class ReferenceKubelet implements AsyncDisposable {
    #private;
    readonly socketPath: string;
    readonly podResourcesSocketPath: string | undefined;
    readonly faults: Faults;
    private constructor();
    static start(options?: ReferenceKubeletOptions): Promise<ReferenceKubelet>;
    get httpURL(): string | undefined;
    get pods(): Pod[];
    get watchers(): number;
    get dropped(): number;
    addPod(pod: PodInput, options?: {
        status?: boolean;
    }): void;
    addStaticPod(manifest: PodInput): string;
    rejectPod(pod: PodInput, options?: RejectionOptions): void;
    updatePod(pod: PodInput): void;
    startPod(uid: string, options?: {
        ip?: string | undefined;
    }): ContainerRun[];
    createContainer(uid: string, containerName: string): void;
    startContainer(uid: string, containerName: string): ContainerRun;
    endContainer(uid: string, containerName: string, exit?: GivenExit): ContainerRun;
    restartContainer(uid: string, containerName: string, exit?: GivenExit): ContainerRun;
    backOffContainer(uid: string, containerName: string): void;
    loseContainer(uid: string, containerName: string): void;
    restartAllContainers(uid: string): ContainerRun[];
    setReady(uid: string, ready: boolean, containerName?: string): void;
    addEphemeralContainer(uid: string, container: {
        name: string;
        image: string;
        targetContainerName?: string | undefined;
    }): ContainerRun;
    addProcess(uid: string, containerName: string, { pid }?: {
        pid?: number | undefined;
    }): number;
    setSandboxReady(uid: string, ready: boolean): void;
    deletePod(uid: string, options?: DeletionOptions): void;
    evictPod(uid: string, options?: EvictionOptions): void;
    finishPod(uid: string, phase?: FinishedPhase, options?: FinishOptions): void;
    setLabels(uid: string, labels: Readonly<Record<string, string>>): void;
    resizePod(uid: string, containerName: string, resources: ResourcesJson): void;
    allocate(uid: string): void;
    assignResources(uid: string, containerName: string, resources: AssignedResources): void;
    setAllocatable(resources: Partial<AllocatableResources>): void;
    removePod(uid: string): void;
    drain(): Promise<string[]>;
    setInitializing(initializing: boolean): void;
    pause(): void;
    resume(): void;
    restart(options?: RestartOptions): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

type ChurnStep = "none" | "start" | "unready" | "restart" | "terminate" | "finish" | "remove" | "add";
declare function churn(kubelet: ReferenceKubelet, random: () => number, now?: Date): ChurnStep;

declare function parsePods(text: string): Promise<PodJson[]>;

declare function seededRandom(seed: number): () => number;

type RecordingLine = {
    readonly atMs: number;
} & ({
    readonly recorded: string;
    readonly mask: readonly string[];
}
 | {
    readonly start: number;
    readonly initializing?: boolean;
    readonly servesApi?: boolean;
}
 | {
    readonly ready: true;
}
 | {
    readonly stop: true;
}
 | {
    readonly cut: true;
}
 | {
    readonly list: string;
    readonly pod?: Uint8Array;
}
 | {
    readonly event: "ADDED" | "MODIFIED" | "DELETED";
    readonly pod: Uint8Array;
}
 | {
    readonly unknown: true;
});
declare function parseRecording(text: string): RecordingLine[];

interface ReplayOptions {
    readonly socketPath?: string | undefined;
    readonly speed?: number | undefined;
    readonly force?: boolean | undefined;
}
declare class Replay implements AsyncDisposable {
    #private;
    readonly socketPath: string;
    readonly finished: Promise<void>;
    private constructor();
    static start(lines: readonly RecordingLine[], options?: ReplayOptions): Promise<Replay>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

declare function sampleNode(): PodJson[];

export { Faults,
  KubeletHttpClient,
  PodInformer,
  PodMask,
  PodResourcesClient,
  PodsClient,
  PodsError,
  ReferenceKubelet,
  Replay,
  atLeast,
  attributesMask,
  attributesOf,
  cgroupIDsOf,
  cgroupLayout,
  cgroupPathOf,
  churn,
  conditionsOf,
  connectSource,
  containerEndCounter,
  containerOf,
  containersOf,
  decodePod,
  endpointsOf,
  freeResources,
  fromKubernetesJson,
  intOrString,
  isFinished,
  isReady,
  isStatic,
  isTerminating,
  joinPodResources,
  kubeletHttp,
  kubeletTransport,
  logDirectoryOf,
  logPathOf,
  maskedPod,
  numaNodesOfCpus,
  openJournal,
  parseCgroupPath,
  parseLogPath,
  parsePods,
  parseRecording,
  parseVolumePath,
  podMask,
  podMasks,
  podResourceDetector,
  podsApi,
  processIdentity,
  qosOf,
  quantityToNumber,
  readJournal,
  readinessUnverifiedUntil,
  registerMetrics,
  resourcesOf,
  sampleNode,
  seededRandom,
  selfIdentity,
  toDate,
  toKubernetesJson,
  toV1Pod,
  volumesDirectoryOf,
  workloadOf };
export type { AllocatableResources, Answer, AssignedResources, Assignment, At, AttributesOptions, CallOptions, CgroupLayout, CgroupPath, ChurnStep, ClaimedDevice, ClientCounters, ClientOptions, Confidence, ContainerEvent, ContainerExit, ContainerKind, ContainerLogsOptions, ContainerResources, ContainerRun, ContainerStats, ControlEvent, Corruption, CounterMeter, CpuGroup, CpuStats, DeleteCause, DeletionOptions, DeletionReason, DeviceGroup, DiagnosticMessages, EffectiveResources, End, EndBasis, EndReason, EndRecord, EvictionOptions, EvictionReason, FaultRates, FindOptions, FinishOptions, FinishedPhase, Found, FreeResources, FsStats, GivenExit, Health, HttpCallOptions, InformerOptions, InformerState, Journal, JournalOptions, JournalQuery, JournalState, KubeletConfig, KubeletHttpOptions, KubeletMetricsOf, KubeletProfile, KubeletTransport, KubeletTransportOptions, ListOptions, LogPath, MaskInput, MaskedPod, MemoryBlock, MemoryStats, MetricMeter, MetricResult, MetricsOptions, NamedPod, Owner, PartialPod, Pod, PodAttributes, PodConditions, PodContainer, PodEndpoint, PodEvent, PodInput, PodJson, PodKey, PodOf, PodResourceDetector, PodResourceDetectorOptions, PodResources, PodResourcesProbe, PodSource, PodStats, PodsErrorCode, ProbeResult, ProcessIdentity, RecordingLine, ReferenceKubeletOptions, RejectionOptions, ReplayOptions, ReportedCondition, ResourceClaim, ResourcesJson, RestartOptions, SelfIdentity, SourceEvent, StatsSummary, Stream, UncertainReason, UnconfirmedPods, V1PodLike, VolumePath, WaitOptions, WatchOptions, Workload };
