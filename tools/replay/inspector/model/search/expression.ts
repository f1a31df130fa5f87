import jsep from 'jsep';
import { type ConnectionState, statusCode } from '#shared/store/sharedSlices.ts';
import { parseTime } from '../../time/formatTime.ts';
import { SessionError } from '../trace/app.ts';
import type { StateAfter } from '../trace/stateReader.ts';
import { LongList, fieldOf } from '../trace/stateTree.ts';

/** A part of an expression, compiled to a function of the state after a step. */
export type Compiled = (after: StateAfter) => unknown;

/** The name `connection`: its fields can be accessed. By itself it is the status or, compared with a number, the number of spec §6.3. */
export const connectionOf = ({ state }: StateAfter): ConnectionState => state.connection;
const statusOf: Compiled = (after) => connectionOf(after).status;

/** Where a part is. */
interface Scope {
  /** The names that an expression can use. */
  readonly names: Readonly<Record<string, Compiled>>;
  /** The items of the conditions of `some` around the part. */
  readonly items: Scope['names'];
  /** Collects the `names` that it uses. */
  readonly used: Set<string>;
}

const MAX_LENGTH = 1000;

// `m => condition` binds less than any operator.
jsep.addBinaryOp('=>', 0.5);

/**
 * Parses an expression such as `messages.length == 40 && connection == "connected"`. It can name values of the state, access their parts,
 * compare, calculate, combine and call `contains`, `matches` and `some`, and nothing else. A path that does not exist is `undefined`. A time can be
 * written as the inspector shows it.
 * @throws {SessionError} when the expression is not valid or uses anything else.
 */
export function parseExpression(text: string, names: Scope['names']) {
  if (text.length > MAX_LENGTH) throw new SessionError(`An expression has at most ${MAX_LENGTH} characters.`);
  const used = new Set<string>();
  const evaluate = compileNode(parse(withSeconds(text)), { names, items: {}, used });
  return { used, evaluate };
}

function parse(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SessionError(`This expression cannot be read: ${reason}.`, { cause: error });
  }
}

/** Matches a text or a time in an expression. */
const TEXT_OR_TIME = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d+:[\d:]+(?:\.\d+)?/g;

/** Replaces times as the inspector shows them by seconds. @throws {SessionError} */
const withSeconds = (text: string): string =>
  text.replace(TEXT_OR_TIME, (found) => {
    if (!/^\d/.test(found)) return found;
    const ms = parseTime(found);
    if (ms === undefined) throw new SessionError(`${found} is not a time, such as 2:03.400.`);
    return `${ms / 1000}`;
  });

/** The nodes that an expression can contain. */
type Node =
  | jsep.Literal
  | jsep.Identifier
  | jsep.MemberExpression
  | jsep.UnaryExpression
  | jsep.BinaryExpression
  | jsep.CallExpression;

// The parser's type says only that each node has a type. Others than these are refused below.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const typed = (node: jsep.Expression) => node as Node;

const nameOf = ({ name }: jsep.Expression): string => (isText(name) ? name : '');

/** @throws {SessionError} for anything except names, literals, members, the operators, and calls of `contains`, `matches` and `some`. */
function compileNode(expression: jsep.Expression, scope: Scope): Compiled {
  const node = typed(expression);
  switch (node.type) {
    case 'Literal':
      return () => node.value;
    case 'Identifier':
      return compileName(node.name, scope);
    case 'MemberExpression':
      return compileMember(node, scope);
    case 'UnaryExpression':
      return compileUnary(node, scope);
    case 'BinaryExpression':
      return compileBinary(node, scope);
    case 'CallExpression':
      return compileCall(node, scope);
    default:
      throw new SessionError(
        'An expression can contain only names, numbers, times, texts, members, comparisons, contains, matches, some and && || !.',
      );
  }
}

function compileName(name: string, { names, items, used }: Scope): Compiled {
  const item = Object.hasOwn(items, name) ? items[name] : undefined;
  if (item !== undefined) return item;
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found === undefined)
    throw new SessionError(
      `“${name}” is not known; there are ${Object.keys({ ...names, ...items }).join(', ')}.`,
    );
  used.add(name);
  return found === connectionOf ? statusOf : found;
}

/** Names that would give access to objects outside the state. */
const REFUSED: ReadonlySet<unknown> = new Set(['constructor', 'prototype', '__proto__']);

function compileMember({ object, property, computed }: jsep.MemberExpression, scope: Scope): Compiled {
  const whole = compileNode(object, scope);
  const valueOf = whole === statusOf ? connectionOf : whole;
  /** The name after the dot, or a literal in brackets. */
  const fixed = property[computed ? 'value' : 'name'];
  if (isText(fixed) && REFUSED.has(fixed)) throw new SessionError(`An expression may not use ${fixed}.`);
  const key = computed ? compileNode(property, scope) : () => fixed;
  return (after) => memberOf(valueOf(after), key(after));
}

/** Returns a field of a value, an item of a list, or a length. */
function memberOf(value: unknown, key: unknown): unknown {
  if ((typeof key !== 'string' && typeof key !== 'number') || REFUSED.has(key)) return undefined;
  return typeof value === 'string' && key === 'length' ? value.length : fieldOf(value, String(key));
}

const unknownOperator = (operator: string) => new SessionError(`An expression has no operator ${operator}.`);

function compileUnary({ operator, argument }: jsep.UnaryExpression, scope: Scope): Compiled {
  const valueOf = compileNode(argument, scope);
  if (operator === '!') return (after) => !valueOf(after);
  if (operator === '-') return (after) => difference(0, valueOf(after));
  throw unknownOperator(operator);
}

function compileBinary({ operator, left, right }: jsep.BinaryExpression, scope: Scope): Compiled {
  const [a, b] = [compileNode(left, scope), compileNode(right, scope)];
  if (operator === '&&') return (after) => a(after) && b(after);
  if (operator === '||') return (after) => a(after) || b(after);
  const apply = OPERATORS.get(operator);
  if (apply === undefined) throw unknownOperator(operator);
  const [asLeft, asRight] = [comparedWith(a, right), comparedWith(b, left)];
  return (after) => apply(asLeft(after), asRight(after));
}

const STATUSES: readonly unknown[] = ['connected', 'disconnected'] satisfies ConnectionState['status'][];

/** Returns a part as it is compared with another node: the connection is a number when that is one. */
function comparedWith(part: Compiled, other: jsep.Expression): Compiled {
  const { type, value } = other;
  if (part !== statusOf || type !== 'Literal') return part;
  if (typeof value === 'number') return (after) => statusCode(connectionOf(after));
  if (!STATUSES.includes(value))
    throw new SessionError(`The connection is "connected" or "disconnected", not ${JSON.stringify(value)}.`);
  return part;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Compares two values; `null` and `undefined` are equal. */
const isEqual = (a: unknown, b: unknown): boolean => a === b || (isAbsent(a) && isAbsent(b));

type Binary = (a: unknown, b: unknown) => unknown;

/** Compares two numbers or two texts by their order; others have none. */
const ordered =
  (compare: (a: number | string, b: number | string) => boolean): Binary =>
  (a, b) =>
    ((isNumber(a) && isNumber(b)) || (isText(a) && isText(b))) && compare(a, b);

const arithmetic =
  (calculate: (a: number, b: number) => number): Binary =>
  (a, b) =>
    isNumber(a) && isNumber(b) ? calculate(a, b) : Number.NaN;

const sum = arithmetic((a, b) => a + b);
const difference = arithmetic((a, b) => a - b);

/** They convert no types: values of different types are not equal, not less and not greater, and arithmetic with them gives no number. */
const OPERATORS: ReadonlyMap<string, Binary> = new Map<string, Binary>([
  ['==', isEqual],
  ['!=', (a, b) => !isEqual(a, b)],
  ['===', (a, b) => a === b],
  ['!==', (a, b) => a !== b],
  ['<', ordered((a, b) => a < b)],
  ['<=', ordered((a, b) => a <= b)],
  ['>', ordered((a, b) => a > b)],
  ['>=', ordered((a, b) => a >= b)],
  ['+', (a, b) => (isText(a) && isText(b) ? a + b : sum(a, b))],
  ['-', difference],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => a / b)],
  ['%', arithmetic((a, b) => a % b)],
]);

/** Compiles a call `object.name(…)`. @throws {SessionError} for anything except `contains`, `matches` and `some`. */
function compileCall({ callee, arguments: given }: jsep.CallExpression, scope: Scope): Compiled {
  const called = typed(callee);
  if (called.type !== 'MemberExpression' || called.computed)
    throw new SessionError('An expression can call only contains, matches and some.');
  const object = compileNode(called.object, scope);
  const name = nameOf(called.property);
  if (name === 'contains') return compileContains(object, given, scope);
  if (name === 'matches') return compileMatches(object, given);
  if (name === 'some') return compileSome(object, given, scope);
  throw new SessionError(`An expression cannot call ${name}, only contains, matches and some.`);
}

type Nodes = readonly jsep.Expression[];

function compileContains(object: Compiled, [part, ...rest]: Nodes, scope: Scope): Compiled {
  if (part === undefined || rest.length > 0)
    throw new SessionError('contains needs one value: person.contains("Ada").');
  const partOf = compileNode(part, scope);
  return (after) => {
    const [whole, wanted] = [object(after), partOf(after)];
    if (isText(whole)) return isText(wanted) && whole.includes(wanted);
    return Array.isArray(whole) && whole.some((item) => isEqual(item, wanted));
  };
}

function compileMatches(object: Compiled, given: Nodes): Compiled {
  const [source, flags = ''] = given.map(({ value }) => value);
  if (!isText(source) || !isText(flags) || given.length > 2)
    throw new SessionError('matches needs a pattern, and may have flags: person.matches("^ada", "i").');
  const isMatch = matchesPattern(source, flags);
  return (after) => {
    const text = object(after);
    return isText(text) && isMatch(text);
  };
}

/**
 * Returns a function that tells whether a text contains a match of a regular expression. For some patterns, such as `(a+)+$`, it can compute
 * forever: the page ends a worker that does (see `watchSearches`).
 * @throws {SessionError} when the pattern or a flag is not valid.
 */
export function matchesPattern(source: string, flags: string): (text: string) => boolean {
  if (!/^[ims]*$/.test(flags)) throw new SessionError('The flags of a pattern are i, m and s.');
  try {
    const pattern = new RegExp(source, flags);
    return (text) => pattern.test(text);
  } catch (cause) {
    throw new SessionError(`This is not a valid regular expression: /${source}/${flags}.`, { cause });
  }
}

/** Compiles `list.some(item => condition)`. */
function compileSome(object: Compiled, [test, ...rest]: Nodes, { names, items, used }: Scope): Compiled {
  const lambda = test && typed(test);
  const isLambda = lambda?.type === 'BinaryExpression' && lambda.operator === '=>';
  if (!isLambda || lambda.left.type !== 'Identifier' || rest.length > 0)
    throw new SessionError('some needs a condition: messages.some(m => m.modifier == "ai").');
  const name = nameOf(lambda.left);
  let item: unknown;
  const usedInside = new Set<string>();
  const inside = { names, items: { ...items, [name]: () => item }, used: usedInside };
  const condition = compileNode(lambda.right, inside);
  for (const one of usedInside) used.add(one);
  const dependsOnItem = Object.keys(items).length === 0 && usedInside.size === 0;
  const count = dependsOnItem ? countMatches() : undefined;
  return (after) => {
    const isMatch = (candidate: unknown) => {
      item = candidate;
      return Boolean(condition(after));
    };
    const list = object(after);
    if (list instanceof LongList)
      return count === undefined ? list.toJSON().some(isMatch) : count(list, isMatch) > 0;
    return Array.isArray(list) && list.some(isMatch);
  };
}

/** Returns a function that counts the items that match. The next call tests only items that differ from those of the call before: a search evaluates an expression at each step. */
function countMatches(): (list: LongList, isMatch: (item: unknown) => boolean) => number {
  let known: { readonly list: LongList; readonly count: number } | undefined;
  return (list, isMatch) => {
    const before = known !== undefined && known.list.length <= list.length ? known : undefined;
    const matches = (item: unknown) => Number(item !== undefined && isMatch(item));
    let count = before?.count ?? 0;
    const indexes = before === undefined ? list.toJSON().keys() : list.indexesSince(before.list);
    for (const index of indexes) count += matches(list.at(index)) - matches(before?.list.at(index));
    known = { list, count };
    return count;
  };
}
