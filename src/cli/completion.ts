import { type Command, EXIT, UsageError } from "./command.js";

const HELP = `Usage: kubelet-pods completion bash

Writes what makes bash complete this command: its options, names of pods and
namespaces. For this shell, or in ~/.bashrc:

  source <(kubelet-pods completion bash)

  -h, --help

Exit codes: 0, 2 for another shell.`;

/** Values of options, by command and option; files where it is none of them. */
const VALUES: Readonly<Record<string, string>> = {
  "get -o": "wide json yaml name jsonpath= mask=",
  "conformance -o": "json junit",
  "conditions -o": "json",
  "containers -o": "json",
  "find -o": "json",
  "resources -o": "json",
  "probe -o": "json",
  "serve --profile": "1.37 1.36 v1beta1 v1 documented",
  "wait --for": "condition=Ready condition=ContainersReady delete",
};

/** Commands whose names are not pods. */
const NO_PODS: ReadonlySet<string> = new Set(["find", "completion"]);

/** Makes the command that completes these commands. */
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
  const options = Object.entries(commands).map(([name, { options, takesNames = false }]) => {
    const words = Object.keys({ ...options, help: true }).map((option) => `--${option}`);
    const pods = takesNames && !NO_PODS.has(name) ? " pods=yes" : "";
    return `        ${name}) words="${words.join(" ")}"${pods} ;;`;
  });
  // What a kubelet says is cut to what names are made of: bash would run what it expands.
  return `# bash completion of kubelet-pods
_kubelet_pods() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words="" pods=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${Object.keys(commands).join(" ")}"
  else
    case "\${COMP_WORDS[1]} $prev" in
${values.join("\n")}
      *" -n"|*" --namespace") words=$(_kubelet_pods_of '{.items[*].metadata.namespace}') ;;
      *) case "\${COMP_WORDS[1]}" in
${options.join("\n")}
      esac ;;
    esac
  fi
  case "$cur$pods" in
    -*) ;;
    *yes) words=$(_kubelet_pods_of '{.items[*].metadata.name}') ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
_kubelet_pods_of() {
  kubelet-pods get -o jsonpath="$1" --timeout 1s 2>/dev/null | tr ' ' '\\n' | tr -cd 'a-z0-9.\\n-' | sort -u
}
complete -o default -F _kubelet_pods kubelet-pods`;
}
