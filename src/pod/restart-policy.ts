import type { Container } from "../gen/k8s/io/api/core/v1/pod_pb.js";

/** The fields of a container that decide whether it is restarted. */
export type RestartPolicy = Pick<Container, "restartPolicy"> & {
  readonly restartPolicyRules: readonly {
    readonly action: string;
    readonly exitCodes?: { readonly operator: string; readonly values: readonly number[] } | undefined;
  }[];
};

/** Action of a rule that restarts all containers of a pod. */
const RESTART_ALL = "RestartAllContainers";

/**
 * Returns true if the kubelet restarts a container after an exit with this code (ContainerShouldRestart in pkg/api/v1/pod/util.go, v1.37.1): its
 * own rules and policy come before the policy of its pod.
 */
export function isRestarted(exitCode: number, podPolicy: string, container: RestartPolicy | undefined): boolean {
  const own = container?.restartPolicy;
  if (own) {
    const fits = ({ values, operator }: { readonly values: readonly number[]; readonly operator: string }) =>
      operator === (values.includes(exitCode) ? "In" : "NotIn");
    const rule = container.restartPolicyRules.find(({ exitCodes }) => exitCodes !== undefined && fits(exitCodes));
    if (rule?.action === "Restart" || rule?.action === RESTART_ALL) return true;
  }
  const policy = own || podPolicy;
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}
