import jsep from 'jsep';
import { type ConnectionState, statusCode } from '#shared/store/sharedSlices.ts';
import { parseTime } from '../../time/formatTime.ts';
import { SessionError } from '../trace/app.ts';
import type { StateAfter } from '../trace/stateReader.ts';
import { LongList, fieldOf } from '../trace/stateTree.ts';
import {
  BINARY,
  type Compiled,
  LOGICAL,
  type Names,
  UNARY,
  isEqual,
  isNode,
  matchesPattern,
  usesOf,
} from './compiled.ts';

/** Returns what the name of the connection means. */
export const connectionName = (connection: NonNullable<Compiled['connection']>): Compiled => ({
  get: (after) => connection(after).status,
  usesState: true,
  connection,
});

/** A compiled condition on the state. */
interface Expression {
  readonly usesAct: boolean;
  evaluate(after: StateAfter): boolean;
}

const MAX_LENGTH = 1000;

// `m => condition` binds less than any operator.
jsep.addBinaryOp('=>', 0.5);

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

/**
 * Parses an expression such as `messages.length == 40 && connection == "connected"`. It can name values of the state, access their parts,
 * compare, calculate, combine and call `contains`, `matches` and `some`, and nothing else. A path that does not exist is `undefined`. A time can be
 * written as the inspector shows it.
 * @throws {SessionError} when the expression is not valid or uses anything else.
 */
export function parseExpression(text: string, names: Names): Expression {
  if (text.length > MAX_LENGTH) throw new SessionError(`An expression has at most ${MAX_LENGTH} characters.`);
  const { get, usesAct = false } = compileNode(parse(withSeconds(text)), { names, isNested: false });
  return { usesAct, evaluate: (after) => Boolean(get(after)) };
}

function parse(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SessionError(`This expression cannot be read: ${reason}.`, { cause: error });
  }
}

/** Where a node is. */
interface Scope {
  readonly names: Names;
  /** Whether it is in a condition of `some`, so that its value can depend on the item. */
  readonly isNested: boolean;
}

/**
 * Compiles a node.
 * @throws {SessionError} for anything except names, literals, members, the operators, and calls of `contains`, `matches` and `some`.
 */
function compileNode(node: jsep.Expression, scope: Scope): Compiled {
  switch (node.type) {
    case 'Literal':
      return { get: () => node['value'] };
    case 'Identifier':
      return compileName(textOf(node, 'name'), scope.names);
    case 'MemberExpression':
      return compileMember(node, scope);
    case 'UnaryExpression':
      return compileUnary(node, scope);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return compileBinary(node, scope);
    case 'CallExpression':
      return compileCall(node, scope);
    default:
      throw new SessionError(
        'An expression can contain only names, numbers, times, texts, members, comparisons, contains, matches, some and && || !.',
      );
  }
}

function compileName(name: string, names: Names): Compiled {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found !== undefined) return found;
  throw new SessionError(`“${name}” is not known; there are ${Object.keys(names).join(', ')}.`);
}

function compileUnary(node: jsep.Expression, scope: Scope): Compiled {
  const apply = UNARY.get(textOf(node, 'operator'));
  if (apply === undefined) throw unknownOperator(node);
  const argument = compileNode(childOf(node, 'argument'), scope);
  return { ...usesOf(argument), get: (after) => apply(argument.get(after)) };
}

/** Compiles a call `object.name(…)`. @throws {SessionError} for anything except `contains`, `matches` and `some`. */
function compileCall(node: jsep.Expression, scope: Scope): Compiled {
  const callee = childOf(node, 'callee');
  if (callee.type !== 'MemberExpression' || callee['computed'] === true)
    throw new SessionError('An expression can call only contains, matches and some.');
  const object = compileNode(childOf(callee, 'object'), scope);
  const name = textOf(childOf(callee, 'property'), 'name');
  const given = nodesOf(node, 'arguments');
  if (name === 'contains') return compileContains(object, given, scope);
  if (name === 'matches') return compileMatches(object, given);
  if (name === 'some') return compileSome(object, given, scope);
  throw new SessionError(`An expression cannot call ${name}, only contains, matches and some.`);
}

function compileBinary(node: jsep.Expression, scope: Scope): Compiled {
  const operator = textOf(node, 'operator');
  const [leftNode, rightNode] = [childOf(node, 'left'), childOf(node, 'right')];
  const [left, right] = [compileNode(leftNode, scope), compileNode(rightNode, scope)];
  const uses = usesOf(left, right);
  const combine = LOGICAL.get(operator);
  if (combine !== undefined)
    return { ...uses, get: (after) => combine(left.get(after), () => right.get(after)) };
  const apply = BINARY.get(operator);
  if (apply === undefined) throw unknownOperator(node);
  const [asLeft, asRight] = [comparedWith(left, rightNode), comparedWith(right, leftNode)];
  return { ...uses, get: (after) => apply(asLeft(after), asRight(after)) };
}

const STATUSES: readonly unknown[] = ['connected', 'disconnected'] satisfies ConnectionState['status'][];

/** Returns a part as it is compared with another node: the connection as the number of spec §6.3, 0 connected, 1 disconnected, when that is a number. */
function comparedWith({ get, connection }: Compiled, other: jsep.Expression): Compiled['get'] {
  const value = other.type === 'Literal' ? other['value'] : undefined;
  if (connection === undefined) return get;
  if (typeof value === 'number') return (after) => statusCode(connection(after));
  if (value !== undefined && !STATUSES.includes(value)) {
    throw new SessionError(`The connection is "connected" or "disconnected", not ${JSON.stringify(value)}.`);
  }
  return get;
}

const unknownOperator = (node: jsep.Expression) =>
  new SessionError(`An expression has no operator ${textOf(node, 'operator')}.`);

/** Names that would give access to objects outside the state. */
const REFUSED: ReadonlySet<unknown> = new Set(['constructor', 'prototype', '__proto__']);

function compileMember(node: jsep.Expression, scope: Scope): Compiled {
  const object = compileNode(childOf(node, 'object'), scope);
  const get = object.connection ?? object.get;
  const property = childOf(node, 'property');
  const name = node['computed'] === true ? literalName(property) : textOf(property, 'name');
  if (REFUSED.has(name)) throw new SessionError(`An expression may not use ${String(name)}.`);
  if (name !== undefined) return { ...usesOf(object), get: (after) => memberOf(get(after), name) };
  const key = compileNode(property, scope);
  return { ...usesOf(object, key), get: (after) => memberOf(get(after), key.get(after)) };
}

const literalName = (node: jsep.Expression): string | undefined =>
  node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;

/** Returns a field of a value, an item of a list, or a length. */
function memberOf(value: unknown, key: unknown): unknown {
  if ((typeof key !== 'string' && typeof key !== 'number') || REFUSED.has(key)) return undefined;
  return typeof value === 'string' && key === 'length' ? value.length : fieldOf(value, String(key));
}

function textOf(node: jsep.Expression, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

function childOf(node: jsep.Expression, name: string): jsep.Expression {
  const child = node[name];
  if (isNode(child)) return child;
  throw new SessionError('This expression is not complete.');
}

const nodesOf = (node: jsep.Expression, name: string): jsep.Expression[] => {
  const nodes = node[name];
  return Array.isArray(nodes) ? nodes.filter(isNode) : [];
};

type Nodes = readonly jsep.Expression[];

function compileContains(object: Compiled, [part, ...rest]: Nodes, scope: Scope): Compiled {
  if (part === undefined || rest.length > 0)
    throw new SessionError('contains needs one value: person.contains("Ada").');
  const wanted = compileNode(part, scope);
  return { ...usesOf(object, wanted), get: (after) => isPartOf(object.get(after), wanted.get(after)) };
}

const isPartOf = (whole: unknown, part: unknown): boolean =>
  typeof whole === 'string'
    ? typeof part === 'string' && whole.includes(part)
    : Array.isArray(whole) && whole.some((item) => isEqual(item, part));

function compileMatches(object: Compiled, given: Nodes): Compiled {
  const [source, flags = ''] = given.map((node) => node['value']);
  if (typeof source !== 'string' || typeof flags !== 'string' || given.length > 2) {
    throw new SessionError('matches needs a pattern, and may have flags: person.matches("^ada", "i").');
  }
  const isMatch = matchesPattern(source, flags);
  return {
    ...usesOf(object),
    get(after) {
      const text = object.get(after);
      return typeof text === 'string' && isMatch(text);
    },
  };
}

/** Compiles `list.some(item => condition)`. */
function compileSome(object: Compiled, [test, ...rest]: Nodes, { names, isNested }: Scope): Compiled {
  const [name, body] = rest.length === 0 ? functionOf(test) : [];
  if (name === undefined || body === undefined) {
    throw new SessionError('some needs a condition: messages.some(m => m.modifier == "ai").');
  }
  let item: unknown;
  const condition = compileNode(body, { names: { ...names, [name]: { get: () => item } }, isNested: true });
  const dependsOnItem = !isNested && !condition.usesState;
  const count = dependsOnItem ? countMatches() : undefined;
  return {
    ...usesOf(object, condition),
    get(after) {
      const isMatch = (candidate: unknown) => {
        item = candidate;
        return Boolean(condition.get(after));
      };
      const list = object.get(after);
      if (list instanceof LongList)
        return count === undefined ? list.toJSON().some(isMatch) : count(list, isMatch) > 0;
      return Array.isArray(list) && list.some(isMatch);
    },
  };
}

/** Returns the parameter and the body of `m => condition`. */
function functionOf(node: jsep.Expression | undefined): readonly [name?: string, body?: jsep.Expression] {
  if (node?.['operator'] !== '=>') return [];
  const { left, right: body }: Readonly<Record<string, unknown>> = { ...node };
  const name = isNode(left) && left.type === 'Identifier' ? left['name'] : undefined;
  return typeof name === 'string' && isNode(body) ? [name, body] : [];
}

/**
 * Returns a function that counts the items that match. The next call tests only items that differ from those of the previous one:
 * a search evaluates an expression at each step.
 */
function countMatches(): (list: LongList, isMatch: (item: unknown) => boolean) => number {
  let known: { readonly list: LongList; readonly count: number } | undefined;
  return (list, isMatch) => {
    const before = known !== undefined && known.list.length <= list.length ? known : undefined;
    const change = (item: unknown, by: number) => (item !== undefined && isMatch(item) ? by : 0);
    let count = before?.count ?? 0;
    const indexes = before === undefined ? Array.from(list.toJSON().keys()) : list.indexesSince(before.list);
    for (const index of indexes) {
      count += change(list.at(index), 1);
      if (before !== undefined) count += change(before.list.at(index), -1);
    }
    known = { list, count };
    return count;
  };
}
