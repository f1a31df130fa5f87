import type { ContentItem } from '#shared/protocol/update.ts';
import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { statusCode } from '#shared/store/connection.ts';
import type jsep from 'jsep';
import { ownField } from '../../../diff/statePath.ts';
import { BINARY, LOGICAL, UNARY } from './expressionOperators.ts';
import { SessionError } from '../trace/sessionError.ts';
import type { State } from '../trace/traceState.ts';

/** The values that an expression can read. */
export interface ExpressionState extends Omit<State, 'clock'> {
  /** The number of released updates. */
  readonly updates: number;
  /** Milliseconds since the launch. */
  readonly time: number;
  /** The action of the step; `undefined` when the step is not one. */
  readonly act: RecordedAct | undefined;
}

/** An action as it is in the capture; `window` is the number of the window whose action it is. */
export interface RecordedAct {
  readonly type: string;
  readonly payload?: unknown;
  readonly window?: number;
}

/** A part of an expression, compiled to a function of the state. */
export interface Compiled {
  readonly get: (state: ExpressionState) => unknown;
  readonly uses: Uses;
  /** The type of a list of the state. It follows from the path only: an object of a frame can have the same fields. */
  readonly shape?: 'messages' | 'message' | 'content';
}

interface Uses {
  readonly conversation: boolean;
  readonly rest: boolean;
  readonly act: boolean;
}

const NOTHING: Uses = { conversation: false, rest: false, act: false };
const CONVERSATION: Uses = { ...NOTHING, conversation: true };
const REST: Uses = { ...NOTHING, rest: true };

const both = (a: Uses, b: Uses): Uses => ({
  conversation: a.conversation || b.conversation,
  rest: a.rest || b.rest,
  act: a.act || b.act,
});

const NAMES: Readonly<Record<string, Compiled>> = {
  person: { get: ({ person }) => person, uses: CONVERSATION },
  messages: { get: ({ messages }) => messages, uses: CONVERSATION, shape: 'messages' },
  connection: { get: ({ connection }) => statusCode(connection), uses: REST },
  counts: { get: ({ counts }) => counts, uses: REST },
  queue: { get: ({ queue }) => queue, uses: REST },
  wasConnected: { get: ({ wasConnected }) => wasConnected, uses: REST },
  backlog: { get: ({ backlog }) => backlog, uses: REST },
  audio: { get: ({ audio }) => audio, uses: REST },
  preferences: { get: ({ preferences }) => preferences, uses: REST },
  attention: { get: ({ attention }) => attention, uses: REST },
  windows: { get: ({ windows }) => windows, uses: REST },
  updates: { get: ({ updates }) => updates, uses: REST },
  time: { get: ({ time }) => time, uses: REST },
  act: { get: ({ act }) => act, uses: { ...REST, act: true } },
};

/** The connection when a field of it is accessed; without a field it is the number of spec §6.3, 0 connected, 1 disconnected. */
const CONNECTION: Compiled = { get: ({ connection }) => connection, uses: REST };

/** Compiles a node. @throws {SessionError} for anything except names, literals, members and the operators. */
export function compileNode(node: jsep.Expression): Compiled {
  switch (node.type) {
    case 'Literal':
      return { get: () => node['value'], uses: NOTHING };
    case 'Identifier':
      return compileName(textOf(node, 'name'));
    case 'MemberExpression':
      return compileMember(node);
    case 'UnaryExpression':
      return compileUnary(node);
    case 'BinaryExpression':
    case 'LogicalExpression':
      return compileBinary(node);
    case 'CallExpression':
      throw new SessionError('An expression cannot call a function.');
    default:
      throw new SessionError(
        'An expression can contain only names, numbers, texts, members, comparisons and && || !.',
      );
  }
}

function compileName(name: string): Compiled {
  const found = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (found !== undefined) return found;
  throw new SessionError(`“${name}” is not known; there are ${Object.keys(NAMES).join(', ')}.`);
}

function compileUnary(node: jsep.Expression): Compiled {
  const apply = UNARY.get(textOf(node, 'operator'));
  if (apply === undefined) throw unknownOperator(node);
  const { get, uses } = compileNode(childOf(node, 'argument'));
  return { get: (state) => apply(get(state)), uses };
}

function compileBinary(node: jsep.Expression): Compiled {
  const operator = textOf(node, 'operator');
  const [left, right] = [compileNode(childOf(node, 'left')), compileNode(childOf(node, 'right'))];
  const uses = both(left.uses, right.uses);
  const combine = LOGICAL.get(operator);
  if (combine !== undefined) {
    return { get: (state) => combine(left.get(state), () => right.get(state)), uses };
  }
  const apply = BINARY.get(operator);
  if (apply === undefined) throw unknownOperator(node);
  return { get: (state) => apply(left.get(state), right.get(state)), uses };
}

const unknownOperator = (node: jsep.Expression) =>
  new SessionError(`An expression has no operator ${textOf(node, 'operator')}.`);

/** Names that would give access to objects outside the state. */
const REFUSED: ReadonlySet<unknown> = new Set(['constructor', 'prototype', '__proto__']);

function compileMember(node: jsep.Expression): Compiled {
  const inside = childOf(node, 'object');
  const isConnection = inside.type === 'Identifier' && inside['name'] === 'connection';
  const object = isConnection ? CONNECTION : compileNode(inside);
  const property = childOf(node, 'property');
  if (node['computed'] !== true) return compileField(object, textOf(property, 'name'));
  if (property.type === 'Literal' && typeof property['value'] === 'string') {
    return compileField(object, property['value']);
  }
  const key = compileNode(property);
  return compileItem(object, { ...key, uses: both(object.uses, key.uses) });
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
  if (typeof child === 'object' && child !== null && 'type' in child && typeof child.type === 'string') {
    return child;
  }
  throw new SessionError('This expression is not complete.');
}
