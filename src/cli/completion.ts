import { type Command, EXIT, UsageError } from "./command.js";

const HELP = `Usage: kubelet-pods completion bash

Writes what makes bash complete this command: its options, names of pods and
namespaces. For this shell, or in ~/.bashrc:

  source <(kubelet-pods completion bash)

  -h, --help

Exit codes: 0, 2 for another shell.`;

/** Values that options take, by command and option. */
const VALUES: Readonly<Record<string, string>> = {
  "get -o": "wide json yaml name jsonpath= mask=",
  "conformance -o": "json junit",
  "conditions -o": "json",
  "containers -o": "json",
  "find -o": "json",
  "ended -o": "json",
  "resources -o": "json",
  "probe -o": "json",
  "serve --profile": "1.37 1.36 v1beta1 v1 documented",
  "wait --for": "condition= delete",
};

/** The conditions that kubelets set. */
const CONDITIONS = "Ready ContainersReady Initialized PodScheduled PodReadyToStartContainers";

/** Options whose values are files. */
const FILE_OPTIONS: readonly string[] = ["pods", "socket", "state", "tls-cert-file", "tls-private-key-file"];

/** Commands whose names are not pods. */
const NO_PODS: ReadonlySet<string> = new Set(["find", "ended", "completion"]);

/** Makes the command that prints the completion of these commands. */
export function completionCommand(commands: () => Promise<Readonly<Record<string, Command>>>): Command {
  return {
    help: HELP,
    options: {},
    takesNames: true,
    async run(_, console, [shell, ...more]) {
      if (shell !== "bash" || more.length > 0) throw new UsageError("one shell is expected: bash");
      console.out(bashScript(await commands()));
      return EXIT.ok;
    },
  };
}

function bashScript(commands: Readonly<Record<string, Command>>): string {
  const values = Object.entries(VALUES).flatMap(([key, words]) => {
    const [command = "", option = ""] = key.split(" ");
    const names = option === "-o" ? ["-o", "--output"] : [option];
    return [`      ${names.map((name) => `"${command} ${name}"`).join("|")}) words="${words}" ;;`];
  });
  // An option with a free text is not completed, not even by names of pods.
  const free = new Set<string>();
  for (const { options } of Object.values(commands)) {
    for (const [option, { type, short }] of Object.entries(options)) {
      if (type !== "string" || FILE_OPTIONS.includes(option)) continue;
      free.add(`--${option}`);
      if (short !== undefined) free.add(`-${short}`);
    }
  }
  const options = Object.entries(commands).map(([name, { options, takesNames = false }]) => {
    const words = Object.keys({ ...options, help: true }).map((option) => `--${option}`);
    const pods = takesNames && !NO_PODS.has(name) ? " pods=yes" : "";
    return `        ${name}) words="${words.join(" ")}"${pods} ;;`;
  });
  // Output of a kubelet is reduced to the characters of names, since bash would run what it expands.
  return `# bash completion of kubelet-pods
_kubelet_pods() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words="" pods="" of="" i
  COMPREPLY=()
  # To bash = is a word of its own.
  if [ "$cur" = "=" ]; then cur=""
  elif [ "$prev" = "=" ]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -n|--namespace) of="-n \${COMP_WORDS[i+1]}" ;; esac
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(commands).join(" ")}"
  else
    case "\${COMP_WORDS[1]} $prev" in
${values.join("\n")}
      "wait condition") words="${CONDITIONS}" ;;
      *" -n"|*" --namespace") words=$(_kubelet_pods_of '{.items[*].metadata.namespace}') ;;
${FILE_OPTIONS.map((option) => `      *" --${option}") compopt -o default 2>/dev/null || true; return ;;`).join("\n")}
${[...free].map((option) => `      *" ${option}") return ;;`).join("\n")}
      "completion completion") words="bash" ;;
      *) case "\${COMP_WORDS[1]}" in
${options.join("\n")}
      esac ;;
    esac
  fi
  case "$cur$pods" in
    -*) ;;
    *yes) words=$(_kubelet_pods_named "$cur" "$of") ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "\${COMPREPLY[*]:-}" in *=) compopt -o nospace 2>/dev/null || true ;; esac
}
# Names in the form in which they are begun: pods/NAME, NAMESPACE/NAME, NAME.
_kubelet_pods_named() {
  local name='{.metadata.name}'
  case "$1" in
    pod/*|pods/*) name="\${1%%/*}/$name" ;;
    */*) name="{.metadata.namespace}/$name" ;;
  esac
  _kubelet_pods_of "{range .items[*]}$name{' '}{end}" $2
}
_kubelet_pods_of() {
  kubelet-pods get "\${@:2}" -o jsonpath="$1" --timeout 1s 2>/dev/null | tr ' ' '\\n' | tr -cd 'a-z0-9./\\n-' | sort -u
}
complete -F _kubelet_pods kubelet-pods`;
}
