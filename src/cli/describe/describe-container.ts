import type { PodJson } from "../../pod/json-types.js";
import { type Fact, fact, facts, list } from "./fact.js";
import { timeText } from "./time-text.js";

type Spec = NonNullable<PodJson["spec"]>;
type Status = NonNullable<PodJson["status"]>;
type ContainerJson = NonNullable<Spec["containers"]>[number];
type StatusJson = NonNullable<Status["containerStatuses"]>[number];
type StateJson = NonNullable<StatusJson["state"]>;
type ProbeJson = NonNullable<ContainerJson["livenessProbe"]>;

/** Returns the facts of containers of one kind, in the order of the spec. */
export function describeContainers(
  name: string,
  containers: readonly ContainerJson[] | null | undefined,
  statuses: readonly StatusJson[] | null | undefined,
): Fact[] {
  const below = (containers ?? []).flatMap((container) => {
    const status = statuses?.find(({ name }) => name === container.name);
    return facts(container.name ?? "", describeContainer(container, status));
  });
  return facts(name, below);
}

function describeContainer(container: ContainerJson, status: StatusJson | undefined): Fact[] {
  const ports = container.ports ?? [];
  const portsOf = (read: (port: (typeof ports)[number]) => number | null | undefined) =>
    ports.map((port) => `${read(port) ?? 0}/${port.protocol ?? ""}${port.name ? ` (${port.name})` : ""}`).join(", ");
  const plural = ports.length > 1 ? "s" : "";
  const seccomp = container.securityContext?.seccompProfile;
  return [
    ...fact("Container ID", status?.containerID),
    ...fact("Image", container.image),
    ...fact("Image ID", status?.imageID),
    ...fact(`Port${plural}`, portsOf(({ containerPort }) => containerPort) || "<none>"),
    ...fact(`Host Port${plural}`, portsOf(({ hostPort }) => hostPort) || "<none>"),
    ...fact("SeccompProfile", seccomp?.type),
    ...fact("LocalhostProfile", seccomp?.localhostProfile),
    ...words("Command", container.command),
    ...words("Args", container.args),
    // A sidecar stands among the init containers, and runs on.
    ...fact("Restart Policy", container.restartPolicy),
    ...(status === undefined ? [] : describeStatus(status)),
    ...describeResources(container.resources),
    ...probe("Liveness", container.livenessProbe),
    ...probe("Readiness", container.readinessProbe),
    ...probe("Startup", container.startupProbe),
    ...(container.envFrom?.length ? facts("Environment Variables from", container.envFrom.map(envFromFact)) : []),
    ...environment(container),
    ...mounts(container),
  ];
}

/** Returns lines below a name: each word of a command stands on a line, or on several. */
function words(name: string, texts: readonly string[] | null | undefined): Fact[] {
  const lines = (texts ?? []).flatMap((text) => text.split("\n"));
  return lines.length === 0 ? [] : facts(name, [{ name: "", lines }]);
}

function describeStatus({ state, lastState, ready, restartCount }: StatusJson): Fact[] {
  return [
    ...describeState("State", state),
    ...(lastState?.terminated ? describeState("Last State", lastState) : []),
    ...fact("Ready", ready ? "True" : "False"),
    ...fact("Restart Count", restartCount ?? 0),
  ];
}

function describeState(name: string, state: StateJson | null | undefined): Fact[] {
  if (state?.running) {
    return [{ name, lines: ["Running"], facts: fact("Started", timeText(state.running.startedAt)) }];
  }
  const { terminated, waiting } = state ?? {};
  if (!terminated) {
    return [
      { name, lines: ["Waiting"], facts: [...fact("Reason", waiting?.reason), ...fact("Message", waiting?.message)] },
    ];
  }
  const { reason, message, exitCode, signal, startedAt, finishedAt } = terminated;
  const below = [
    ...fact("Reason", reason),
    ...fact("Message", message),
    ...fact("Exit Code", exitCode ?? 0),
    ...fact("Signal", signal || undefined),
    ...fact("Started", timeText(startedAt)),
    ...fact("Finished", timeText(finishedAt)),
  ];
  return [{ name, lines: ["Terminated"], facts: below }];
}

type ResourcesJson = Pick<NonNullable<ContainerJson["resources"]>, "limits" | "requests">;

/** Returns limits and requests, each sorted by name. */
export function describeResources(resources: ResourcesJson | null | undefined): Fact[] {
  const of = (name: string, quantities: Readonly<Record<string, string>> | null | undefined) => {
    const names = Object.keys(quantities ?? {}).sort();
    return facts(
      name,
      names.flatMap((key) => fact(key, quantities?.[key])),
    );
  };
  return [...of("Limits", resources?.limits), ...of("Requests", resources?.requests)];
}

/** Writes a probe; a command of several lines stands on as many. */
function probe(name: string, probe: ProbeJson | null | undefined): Fact[] {
  if (!probe) return [];
  const { initialDelaySeconds, timeoutSeconds, periodSeconds, successThreshold, failureThreshold } = probe;
  const times = `delay=${initialDelaySeconds ?? 0}s timeout=${timeoutSeconds ?? 0}s period=${periodSeconds ?? 0}s`;
  const counts = `successThreshold=${successThreshold ?? 0} failureThreshold=${failureThreshold ?? 0}`;
  return [{ name, lines: `${actionText(probe)} ${times} ${counts}`.split("\n") }];
}

function actionText({ exec, httpGet, tcpSocket, grpc }: ProbeJson): string {
  if (exec) return `exec [${(exec.command ?? []).join(" ")}]`;
  if (httpGet) {
    const { scheme, host, port, path } = httpGet;
    const hostText = host?.includes(":") ? `[${host}]` : (host ?? "");
    return `http-get ${(scheme ?? "").toLowerCase()}://${hostText}:${port ?? 0}${urlPath(path ?? "")}`;
  }
  if (tcpSocket) return `tcp-socket ${tcpSocket.host ?? ""}:${tcpSocket.port ?? 0}`;
  return grpc ? `grpc <pod>:${grpc.port ?? 0} ${grpc.service ?? ""}` : "unknown";
}

/** Writes a path as Go's url.URL does, which kubectl prints. */
function urlPath(path: string): string {
  const escaped = encodeURI(path).replace(/[!'()*?#]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return escaped === "" || escaped.startsWith("/") ? escaped : `/${escaped}`;
}

type EnvFromJson = NonNullable<ContainerJson["envFrom"]>[number];

function envFromFact({ configMapRef, secretRef, prefix }: EnvFromJson): Fact {
  const { name, optional } = configMapRef ?? secretRef ?? {};
  const from = configMapRef ? "ConfigMap" : secretRef ? "Secret" : "";
  const withPrefix = prefix ? `${from} with prefix '${prefix}'` : from;
  return { name: "", lines: [`${name ?? ""}  ${withPrefix}  Optional: ${optional === true}`] };
}

/** Returns variables and where their values come from. What a reference stands for is not read. */
function environment({ env }: ContainerJson): Fact[] {
  if (!env?.length) return [list("Environment", [])];
  const below = env.map(({ name, value, valueFrom }) => {
    const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    let text = value ?? "";
    if (fieldRef) text = `(${fieldRef.apiVersion ?? ""}:${fieldRef.fieldPath ?? ""})`;
    else if (resourceFieldRef) text = `(${resourceFieldRef.resource ?? ""})`;
    else if (secretKeyRef) {
      const { key, name, optional } = secretKeyRef;
      text = `<set to the key '${key ?? ""}' in secret '${name ?? ""}'>  Optional: ${optional === true}`;
    } else if (configMapKeyRef) {
      const { key, name, optional } = configMapKeyRef;
      text = `<set to the key '${key ?? ""}' of config map '${name ?? ""}'>  Optional: ${optional === true}`;
    }
    return { name: name ?? "", lines: text.split("\n") };
  });
  return facts("Environment", below);
}

function mounts({ volumeMounts, volumeDevices }: ContainerJson): Fact[] {
  const lines = (volumeMounts ?? [])
    .map(({ mountPath, name, readOnly, subPath }) => ({
      mountPath: mountPath ?? "",
      text: `${mountPath} from ${name} (${readOnly ? "ro" : "rw"}${subPath ? `,path=${JSON.stringify(subPath)}` : ""})`,
    }))
    .sort((a, b) => (a.mountPath < b.mountPath ? -1 : 1))
    .map(({ text }) => text);
  const devices = (volumeDevices ?? []).map(({ devicePath, name }) => `${devicePath} from ${name}`).sort();
  return [
    ...(lines.length === 0 ? [list("Mounts", [])] : facts("Mounts", [{ name: "", lines }])),
    ...(devices.length === 0 ? [] : facts("Devices", [{ name: "", lines: devices }])),
  ];
}
