import { quoted, SelectorText } from "./selector-text.js";

type Labels = Readonly<Record<string, string>>;

/** Returns true if labels match a selector. */
export type LabelTest = (labels: Labels) => boolean;

interface Token {
  /** `in` and `notin` are words: operators after a key, and values elsewhere. */
  readonly kind: "word" | "symbol" | "end";
  readonly text: string;
  readonly at: number;
}

/** The tokens of k8s.io/apimachinery/pkg/labels/selector.go. */
const TOKENS = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+))/y;

/** Kubernetes' limits for labels: k8s.io/apimachinery/pkg/api/validate/content. */
const LABEL_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

const INT64_MAX = 2n ** 63n - 1n;

/**
 * Parses a label selector in the syntax of `kubectl -l`: `app=web,tier!=cache,env in (a, b),zone notin (c),owner,!legacy,cores>4`. An empty
 * selector matches all pods. `!=` and `notin` also match pods without the label.
 *
 * @throws PodsError `invalid-argument` that names the position of the error.
 */
export function parseLabelSelector(text: string): LabelTest {
  const tests = new Parser(new SelectorText("labelSelector", text)).parse();
  return (labels) => tests.every((test) => test(labels));
}

class Parser {
  readonly #text: SelectorText;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(text: SelectorText) {
    this.#text = text;
    this.#tokens = tokensOf(text.text);
  }

  parse(): LabelTest[] {
    const tests: LabelTest[] = [];
    if (this.#peek().kind === "end") return tests;
    for (;;) {
      tests.push(this.#requirement());
      if (this.#peek().kind === "end") return tests;
      this.#expect(",");
    }
  }

  #requirement(): LabelTest {
    if (this.#skip("!")) {
      const absent = this.#key();
      return (labels) => !Object.hasOwn(labels, absent);
    }
    const key = this.#key();
    const operator = this.#peek();
    if (operator.kind === "end" || operator.text === ",") return (labels) => Object.hasOwn(labels, key);
    this.#next++;
    switch (operator.text) {
      case "=":
      case "==":
      case "in": {
        const values = operator.text === "in" ? this.#values() : new Set([this.#value()]);
        return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] as string);
      }
      case "!=":
      case "notin": {
        const values = operator.text === "notin" ? this.#values() : new Set([this.#value()]);
        return (labels) => !(Object.hasOwn(labels, key) && values.has(labels[key] as string));
      }
      case ">":
      case "<": {
        const limit = this.#integer(operator.text);
        const sign = operator.text === ">" ? 1n : -1n;
        return (labels) => {
          const value = Object.hasOwn(labels, key) ? integerIn(labels[key] as string) : undefined;
          return value !== undefined && sign * (value - limit) > 0n;
        };
      }
      default:
        throw this.#wrong(operator, "=, ==, !=, in, notin, > or <");
    }
  }

  #key(): string {
    const token = this.#take();
    if (token.kind !== "word") throw this.#wrong(token, "a label name");
    const slash = token.text.indexOf("/");
    const name = token.text.slice(slash + 1);
    if (slash >= 0 && !LABEL_PREFIX.test(token.text.slice(0, slash))) {
      throw this.#text.wrong(token.at, `${quoted(token.text)} must have a DNS name before the /`);
    }
    if (!LABEL_NAME.test(name))
      throw this.#text.wrong(token.at + slash + 1, `${quoted(name)} is not a valid label name`, NAME_RULE);
    return token.text;
  }

  /** Parses the value after `=` and similar operators. It may be empty. */
  #value(): string {
    const token = this.#peek();
    if (token.kind === "end" || token.text === ",") return "";
    this.#next++;
    return this.#checked(token);
  }

  #values(): ReadonlySet<string> {
    this.#expect("(");
    const values = new Set<string>();
    for (;;) {
      // Values can be empty: between two commas, or between a comma and a bracket.
      const token = this.#peek();
      if (token.text === "," || token.text === ")") values.add("");
      else values.add(this.#checked(this.#take()));
      if (this.#skip(")")) return values;
      this.#expect(",", ")");
    }
  }

  #integer(operator: string): bigint {
    const token = this.#peek();
    const value = integerIn(this.#value());
    if (value === undefined) throw this.#wrong(token, `a whole number after ${operator}`);
    return value;
  }

  #checked(token: Token): string {
    if (token.kind !== "word") throw this.#wrong(token, "a value");
    if (!LABEL_NAME.test(token.text))
      throw this.#text.wrong(token.at, `${quoted(token.text)} is not a valid label value`, NAME_RULE);
    return token.text;
  }

  #expect(symbol: string, or?: string): void {
    if (this.#skip(symbol)) return;
    const other = or ?? (symbol === "," ? "the end" : undefined);
    throw this.#wrong(this.#peek(), other === undefined ? symbol : `${symbol} or ${other}`);
  }

  #skip(symbol: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "symbol" || text !== symbol) return false;
    this.#next++;
    return true;
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    const token = this.#peek();
    if (token.kind !== "end") this.#next++;
    return token;
  }

  #wrong(token: Token, wanted: string) {
    const found = token.kind === "end" ? "" : `, found ${quoted(token.text)}`;
    return this.#text.wrong(token.at, `expected ${wanted}${found}`);
  }
}

const NAME_RULE = "1 to 63 letters, digits, -, _ and ., with a letter or digit at both ends";

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match !== null; match = TOKENS.exec(text)) {
    const [, symbol, word = ""] = match;
    const token = symbol ?? word;
    const kind = symbol === undefined ? "word" : "symbol";
    tokens.push({ kind, text: token, at: match.index + match[0].length - token.length });
  }
  return [...tokens, { kind: "end", text: "", at: text.length }];
}

/** Parses an integer as Go's strconv.ParseInt does with 64 bits. Returns undefined for any other text. */
function integerIn(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,100}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value >= -INT64_MAX - 1n && value <= INT64_MAX ? value : undefined;
}
