import type { ContentItem } from '#shared/protocol/update.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { type ConnectionState, statusCode } from '#shared/store/connection.ts';
import type jsep from 'jsep';
import { ownField } from '../../../diff/valueDiff.ts';
import { BINARY, LOGICAL, UNARY } from './expressionOperators.ts';
import { SessionError } from '../trace/sessionError.ts';
import { compileCall } from './expressionCalls.ts';
import {
  CONVERSATION,
  type Compiled,
  type ExpressionState,
  NOTHING,
  type Names,
  REST,
  bothUses,
  isNode,
} from './compiledExpression.ts';

/** The names of the state of Parley. */
export const PARLEY_NAMES: Names = {
  person: { get: ({ person }) => person, uses: CONVERSATION },
  messages: { get: ({ messages }) => messages, uses: CONVERSATION, shape: 'messages' },
  connection: { get: ({ connection }) => connection.status, uses: REST, shape: 'connection' },
  counts: { get: ({ counts }) => counts, uses: REST },
  queue: { get: ({ queue }) => queue, uses: REST },
  wasConnected: { get: ({ wasConnected }) => wasConnected, uses: REST },
  backlog: { get: ({ backlog }) => backlog, uses: REST },
  audio: { get: ({ audio }) => audio, uses: REST },
  preferences: { get: ({ preferences }) => preferences, uses: REST },
  attention: { get: ({ attention }) => attention, uses: REST },
  windows: { get: ({ windows }) => windows, uses: REST },
  words: { get: ({ words }) => words, uses: REST },
  updates: { get: ({ updates }) => updates, uses: REST },
  time: { get: ({ time }) => time, uses: REST },
  act: { get: ({ act }) => act, uses: { ...REST, act: true } },
};

/** The connection when a field of it is accessed; without a field it is its status. */
const CONNECTION: Compiled = { get: ({ connection }) => connection, uses: REST };

/**
 * Compiles a node. `names` are the names that it can use.
 * @throws {SessionError} for anything except names, literals, members, the operators, and calls of `contains`, `matches` and `some`.
 */
export function compileNode(node: jsep.Expression, names: Names): Compiled {
  switch (node.type) {
    case 'Literal':
      return { get: () => node['value'], uses: NOTHING };
    case 'Identifier':
      return compileName(textOf(node, 'name'), names);
    case 'MemberExpression':
      return compileMember(node, names);
    case 'UnaryExpression':
      return compileUnary(node, names);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return compileBinary(node, names);
    case 'CallExpression':
      return compileMethod(node, names);
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

function compileUnary(node: jsep.Expression, names: Names): Compiled {
  const apply = UNARY.get(textOf(node, 'operator'));
  if (apply === undefined) throw unknownOperator(node);
  const { get, uses } = compileNode(childOf(node, 'argument'), names);
  return { get: (state) => apply(get(state)), uses };
}

function compileMethod(node: jsep.Expression, names: Names): Compiled {
  const callee = childOf(node, 'callee');
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) {
    throw new SessionError('An expression can call only contains, matches and some.');
  }
  return compileCall({
    object: compileNode(childOf(callee, 'object'), names),
    name: textOf(childOf(callee, 'property'), 'name'),
    given: nodesOf(node, 'arguments'),
    isNested: names !== PARLEY_NAMES,
    compile: (part, added = {}) => compileNode(part, { ...names, ...added }),
  });
}

function compileBinary(node: jsep.Expression, names: Names): Compiled {
  const operator = textOf(node, 'operator');
  const [leftNode, rightNode] = [childOf(node, 'left'), childOf(node, 'right')];
  const [left, right] = [compileNode(leftNode, names), compileNode(rightNode, names)];
  const uses = bothUses(left.uses, right.uses);
  const combine = LOGICAL.get(operator);
  if (combine !== undefined) {
    return { get: (state) => combine(left.get(state), () => right.get(state)), uses };
  }
  const apply = BINARY.get(operator);
  if (apply === undefined) throw unknownOperator(node);
  const [asLeft, asRight] = [comparedWith(left, rightNode), comparedWith(right, leftNode)];
  return { get: (state) => apply(asLeft(state), asRight(state)), uses };
}

const STATUSES: readonly unknown[] = ['connected', 'disconnected'] satisfies ConnectionState['status'][];

/** Returns a part as it is compared with another node: the connection as the number of spec §6.3, 0 connected, 1 disconnected, when that is a number. */
function comparedWith({ get, shape }: Compiled, other: jsep.Expression): Compiled['get'] {
  const value = other.type === 'Literal' ? other['value'] : undefined;
  if (shape !== 'connection') return get;
  if (typeof value === 'number') return ({ connection }) => statusCode(connection);
  if (value !== undefined && !STATUSES.includes(value)) {
    throw new SessionError(`The connection is "connected" or "disconnected", not ${JSON.stringify(value)}.`);
  }
  return get;
}

const unknownOperator = (node: jsep.Expression) =>
  new SessionError(`An expression has no operator ${textOf(node, 'operator')}.`);

/** Names that would give access to objects outside the state. */
const REFUSED: ReadonlySet<unknown> = new Set(['constructor', 'prototype', '__proto__']);

function compileMember(node: jsep.Expression, names: Names): Compiled {
  const inside = compileNode(childOf(node, 'object'), names);
  const object = inside.shape === 'connection' ? CONNECTION : inside;
  const property = childOf(node, 'property');
  if (node['computed'] !== true) return compileField(object, textOf(property, 'name'));
  if (property.type === 'Literal' && typeof property['value'] === 'string') {
    return compileField(object, property['value']);
  }
  const key = compileNode(property, names);
  return compileItem(object, { ...key, uses: bothUses(object.uses, key.uses) });
}

/** Compiles `object.name`. */
function compileField({ get, uses, shape }: Compiled, name: string): Compiled {
  if (REFUSED.has(name)) throw new SessionError(`An expression may not use ${name}.`);
  if (shape === 'message' && name === 'content') {
    return { get: (state) => ownField(get(state), name), uses, shape: 'content' };
  }
  if (name === 'length') return { get: (state) => lengthOf(get(state)), uses };
  if (shape === 'messages' || shape === 'content') return { get: () => undefined, uses };
  return { get: (state) => ownField(get(state), name), uses };
}

/** Compiles `object[key]`. */
function compileItem({ get, shape }: Compiled, { get: key, uses }: Compiled): Compiled {
  if (shape === 'messages' || shape === 'content') {
    const at = (state: ExpressionState) => vectorItem(get(state), key(state));
    return shape === 'messages' ? { get: at, uses, shape: 'message' } : { get: at, uses };
  }
  return {
    uses,
    get(state) {
      const name = key(state);
      const isKey = typeof name === 'string' || typeof name === 'number';
      if (!isKey || REFUSED.has(name)) return undefined;
      return ownField(get(state), String(name));
    },
  };
}

function lengthOf(value: unknown): unknown {
  return typeof value === 'string' ? value.length : ownField(value, 'length');
}

function vectorItem(list: unknown, index: unknown): unknown {
  if (list === undefined || typeof index !== 'number' || !Number.isInteger(index)) return undefined;
  // The shape guarantees the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return itemAt(list as Vector<Message | ContentItem>, index);
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
