type Kind = "command" | "option" | "output" | "condition";

/** The words to type instead of those that only kubectl takes, by their kind and first word. */
const INSTEAD: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  command: {
    pods: "kubelet-pods get",
    pod: "kubelet-pods get",
    "api-resources": "there are pods alone here",
    "api-versions": "kubelet-pods conformance says which version the kubelet serves",
    attach: "crictl attach CONTAINER",
    "cluster-info": "kubelet-pods probe says whether the kubelet answers",
    cp: "kubectl cp",
    debug: "kubectl debug, or crictl exec CONTAINER",
    delete: "nothing is written here: kubectl delete",
    diff: "nothing is written here: kubectl diff",
    drain: "nothing is written here: kubectl drain",
    edit: "nothing is written here: kubectl edit",
    events: "kubelet-pods get -w, kubelet-pods containers -w; kubectl events has those of the API server",
    exec: "crictl exec CONTAINER; kubelet-pods containers POD shows its ID",
    explain: "kubectl explain pod",
    "port-forward": "crictl port-forward POD",
    top: "crictl stats, crictl statsp",
    apply: "nothing is written here: kubectl apply",
    create: "nothing is written here: kubectl create",
    run: "nothing is written here: kubectl run",
    patch: "nothing is written here: kubectl patch",
    label: "nothing is written here: kubectl label",
    annotate: "nothing is written here: kubectl annotate",
    scale: "nothing is written here: kubectl scale",
    rollout: "nothing is written here: kubectl rollout",
  },
  option: {
    at: "an informer's find(key, { at }): the command knows the present alone",
    "sort-by": "| sort -k 2, or -o json | jq 'sort_by(...)'",
    "label-columns": "--show-labels, or -o jsonpath=",
    L: "--show-labels, or -o jsonpath=",
    "all-containers": "-c NAME, once for each",
    prefix: "-c NAME, once for each",
    "since-time": "--since 10m",
    "limit-bytes": "| head -c N",
    context: "there is one kubelet here: --socket",
    kubeconfig: "no API server is asked: --socket",
    cluster: "there is one kubelet here: --socket",
    user: "root alone may ask the kubelet",
    as: "root alone may ask the kubelet",
    server: "--socket",
    s: "--socket",
    "request-timeout": "--timeout",
    "chunk-size": "a list comes whole",
    subresource: "-o json has the status",
    raw: "curl on the kubelet's own port",
    template: "-o jsonpath=TEMPLATE",
    filename: "names of pods",
    f: "names of pods",
    R: "names of pods",
    v: "NODE_DEBUG=kubelet-pods",
  },
  output: {
    "custom-columns": "-o jsonpath=, or -o json | jq -r",
    "custom-columns-file": "-o jsonpath=, or -o json | jq -r",
    "go-template": "-o jsonpath=TEMPLATE",
    "go-template-file": "-o jsonpath=TEMPLATE",
    "jsonpath-file": "-o jsonpath=TEMPLATE",
    "jsonpath-as-json": "-o json | jq",
    kyaml: "-o yaml",
  },
  condition: {
    jsonpath: "--for condition=NAME, or get -w -o jsonpath=",
    create: "find, and get -w",
  },
};

/** Kinds of objects that kubectl gets, and that a kubelet does not have. */
const OTHERS: ReadonlySet<string> = new Set(
  (
    "all,bindings,componentstatuses,configmap,configmaps,cm,cronjob,cronjobs,cj,daemonset,daemonsets,ds,deployment,deployments,deploy," +
    "endpoints,ep,endpointslices,event,events,ev,hpa,ingress,ingresses,ing,job,jobs,lease,leases,limitranges,namespace,namespaces,ns," +
    "networkpolicy,networkpolicies,netpol,node,nodes,no,pdb,persistentvolumeclaims,persistentvolumes,pv,pvc,quota,replicasets,rs," +
    "replicationcontrollers,rc,resourcequotas,sa,secret,secrets,serviceaccounts,service,services,svc,statefulset,statefulsets,sts," +
    "storageclasses,sc"
  ).split(","),
);

/** Returns what to type instead, to append to a refusal; empty if unknown. */
export function instead(kind: Kind, word: string): string {
  const table = INSTEAD[kind];
  return Object.hasOwn(table, word) ? `; instead: ${table[word]}` : "";
}

/** Returns true if a word begins with a kind of objects of the API server. Unless a pod has that name, no pod was meant. */
export function isOtherKind(word: string): boolean {
  return OTHERS.has(word.replace(/[./].*$/s, ""));
}
