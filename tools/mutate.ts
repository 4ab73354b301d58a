// Small changes of named functions, for tools/mutation.ts. A change is named by its function, an operator, and the place's number among
// those of the operator in the function, so that it outlives renames, moves and comments.

import ts from "typescript";

/** What each operator does to the code. */
export const OPERATORS = {
  remove: "a statement is left out",
  true: "a condition always holds",
  false: "a condition never holds",
  left: "of `a && b`, `a ?? b`, `a + b`, `c ? a : b` or `f(a, …, b)` only a is left",
  right: "of the same only b is left",
  logic: "&& and || are swapped",
  negate: "a comparison or a negation is reversed",
  boundary: "< and <=, > and >= are swapped",
  arithmetic: "+ and -, * and / are swapped",
  number: "a number is 0, and 0 is 1",
  undefined: "a returned or assigned value is undefined",
  empty: "a string or an array is empty",
  drop: "a property of an object literal is left out",
  now: "setImmediate(f) or queueMicrotask(f) calls f at once",
} as const;

export type Operator = keyof typeof OPERATORS;

/** A place that an operator can change. */
export interface Site {
  /** The function, `Class.member`, or constant at the top of the module. */
  readonly name: string;
  readonly operator: Operator;
  /** 1 for the first place of this operator in the function. */
  readonly nth: number;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** What takes the place of the text from `start` to `end`. */
  readonly replacement: string;
}

const SWAPPED: readonly (readonly [Operator, ts.SyntaxKind, string])[] = [
  ["logic", ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  ["logic", ts.SyntaxKind.BarBarToken, "&&"],
  ["negate", ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  ["negate", ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  ["negate", ts.SyntaxKind.LessThanToken, ">="],
  ["negate", ts.SyntaxKind.LessThanEqualsToken, ">"],
  ["negate", ts.SyntaxKind.GreaterThanToken, "<="],
  ["negate", ts.SyntaxKind.GreaterThanEqualsToken, "<"],
  ["boundary", ts.SyntaxKind.LessThanToken, "<="],
  ["boundary", ts.SyntaxKind.LessThanEqualsToken, "<"],
  ["boundary", ts.SyntaxKind.GreaterThanToken, ">="],
  ["boundary", ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  ["arithmetic", ts.SyntaxKind.PlusToken, "-"],
  ["arithmetic", ts.SyntaxKind.MinusToken, "+"],
  ["arithmetic", ts.SyntaxKind.AsteriskToken, "/"],
  ["arithmetic", ts.SyntaxKind.SlashToken, "*"],
];

/** Operators of two values of which one can stand for both. */
const HALVED: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
]);

/** Returns all places of a module that an operator can change, in the order of the text. */
export function sitesOf(source: string): Site[] {
  const file = ts.createSourceFile("module.ts", source, ts.ScriptTarget.ES2022, true);
  const sites: Site[] = [];
  const counts = new Map<string, number>();
  for (const statement of file.statements) visitNamed(statement);
  return sites;

  function visitNamed(node: ts.Node): void {
    if (ts.isFunctionDeclaration(node) && node.body) visit(node.body, node.name?.text ?? "default");
    else if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations)
        if (initializer) visit(initializer, name.getText());
    } else if (ts.isClassDeclaration(node)) {
      for (const member of node.members) {
        const name = `${node.name?.text}.${member.name?.getText() ?? "constructor"}`;
        if (ts.isPropertyDeclaration(member) && member.initializer) visit(member.initializer, name);
        else if ("body" in member && member.body) visit(member.body as ts.Node, name);
      }
    }
  }

  function visit(node: ts.Node, name: string): void {
    if (ts.isTypeNode(node)) return;
    for (const [operator, start, end, replacement] of changesOf(node)) {
      const key = `${name} ${operator}`;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      sites.push({ name, operator, nth, line, start, end, replacement });
    }
    node.forEachChild((child) => visit(child, name));
  }
}

/** Returns the text of a module with one place changed. */
export function mutated(source: string, { start, end, replacement }: Site): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

type Change = readonly [operator: Operator, start: number, end: number, replacement: string];

function changesOf(node: ts.Node): Change[] {
  const start = node.getStart();
  const { end } = node;
  const whole = (operator: Operator, replacement: string): Change => [operator, start, end, replacement];
  const changes: Change[] = [];
  if (isRemovable(node))
    changes.push(whole("remove", ts.isBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent) ? ";" : "{}"));
  if (isCondition(node) && !isLiteral(node, "true")) changes.push(whole("true", "true"));
  if (isCondition(node) && !isLiteral(node, "false")) changes.push(whole("false", "false"));
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    if (HALVED.has(operatorToken.kind))
      changes.push(whole("left", `(${left.getText()})`), whole("right", `(${right.getText()})`));
    for (const [operator, kind, replacement] of SWAPPED)
      if (kind === operatorToken.kind)
        changes.push([operator, operatorToken.getStart(), operatorToken.end, replacement]);
    if (operatorToken.kind === ts.SyntaxKind.EqualsToken && !isLiteral(right, "undefined"))
      changes.push(["undefined", right.getStart(), right.end, "undefined"]);
  } else if (ts.isConditionalExpression(node)) {
    changes.push(whole("left", `(${node.whenTrue.getText()})`), whole("right", `(${node.whenFalse.getText()})`));
  } else if (ts.isCallExpression(node) && node.arguments.length > 0 && !ts.isExpressionStatement(node.parent)) {
    const [first, last] = [node.arguments[0] as ts.Expression, node.arguments.at(-1) as ts.Expression];
    if (!ts.isSpreadElement(first)) changes.push(whole("left", `(${first.getText()})`));
    if (first !== last && !ts.isSpreadElement(last)) changes.push(whole("right", `(${last.getText()})`));
  }
  if (ts.isCallExpression(node) && /^(setImmediate|queueMicrotask)$/.test(node.expression.getText())) {
    changes.push(whole("now", `(${node.arguments[0]?.getText()})()`));
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    changes.push(whole("negate", `(${node.operand.getText()})`));
  } else if (ts.isNumericLiteral(node)) {
    changes.push(whole("number", node.text === "0" ? "1" : "0"));
  } else if (ts.isReturnStatement(node) && node.expression && !isLiteral(node.expression, "undefined")) {
    changes.push(["undefined", node.expression.getStart(), node.expression.end, "undefined"]);
  } else if (ts.isStringLiteral(node) && node.text !== "" && !ts.isPropertyAssignment(node.parent)) {
    changes.push(whole("empty", '""'));
  } else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !ts.isBinaryExpression(node.parent)) {
    changes.push(whole("empty", "[]"));
  } else if (ts.isObjectLiteralElement(node) && !isUndefined(node)) {
    changes.push(["drop", start, node.getSourceFile().text[end] === "," ? end + 1 : end, ""]);
  }
  return changes;
}

/** Statements but for declarations and blocks, whose parts are sites by themselves. */
function isRemovable(node: ts.Node): boolean {
  return (
    ts.isExpressionStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isContinueStatement(node) ||
    ts.isBreakStatement(node)
  );
}

/** Expressions that are used as a condition, and those that can only be true or false. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(node)) return false; // what is in it is one
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  if (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) return parent.condition === node;
  if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken;
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return true;
  if (!ts.isBinaryExpression(node))
    return ts.isBinaryExpression(parent) && parent.operatorToken !== node && isLogical(parent) && isCondition(parent);
  return (
    isLogical(node) || SWAPPED.some(([operator, kind]) => operator === "negate" && kind === node.operatorToken.kind)
  );
}

function isLogical({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

function isLiteral(node: ts.Node, text: string): boolean {
  return node.getText() === text;
}

/** Whether a property is undefined with its name, too: without it nothing is changed. */
function isUndefined(node: ts.ObjectLiteralElement): boolean {
  return ts.isPropertyAssignment(node) && node.initializer.getText() === "undefined";
}
