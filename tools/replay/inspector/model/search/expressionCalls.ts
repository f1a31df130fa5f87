import { type Vector, itemAt, toArray } from '#shared/conversation/vector.ts';
import type jsep from 'jsep';
import { differingIndexes } from '../../../diff/stateDiff.ts';
import { SessionError } from '../trace/sessionError.ts';
import { type Compiled, NOTHING, type Names, bothUses, isNode } from './compiledExpression.ts';
import { isEqual } from './expressionOperators.ts';
import { matchesPattern } from './textMatch.ts';

/** A call `object.name(…)` and a function that compiles its parts. */
export interface Call {
  readonly object: Compiled;
  readonly name: string;
  readonly given: readonly jsep.Expression[];
  /** Whether it is in a condition of `some`, so that its value can depend on the item. */
  readonly isNested: boolean;
  readonly compile: (node: jsep.Expression, names?: Names) => Compiled;
}

/** Compiles a call. @throws {SessionError} for anything except `contains`, `matches` and `some`. */
export function compileCall(call: Call): Compiled {
  if (call.name === 'contains') return compileContains(call);
  if (call.name === 'matches') return compileMatches(call);
  if (call.name === 'some') return compileSome(call);
  throw new SessionError(`An expression cannot call ${call.name}, only contains, matches and some.`);
}

function compileContains({ object, given: [part, ...rest], compile }: Call): Compiled {
  if (part === undefined || rest.length > 0) {
    throw new SessionError('contains needs one value: person.contains("Ada").');
  }
  const wanted = compile(part);
  return {
    uses: bothUses(object.uses, wanted.uses),
    get: (state) => isPartOf(object.get(state), wanted.get(state)),
  };
}

const isPartOf = (whole: unknown, part: unknown): boolean =>
  typeof whole === 'string'
    ? typeof part === 'string' && whole.includes(part)
    : Array.isArray(whole) && whole.some((item) => isEqual(item, part));

function compileMatches({ object: { get, uses }, given }: Call): Compiled {
  const [source, flags = ''] = given.map((node) => node['value']);
  if (typeof source !== 'string' || typeof flags !== 'string' || given.length > 2) {
    throw new SessionError('matches needs a pattern, and may have flags: person.matches("^ada", "i").');
  }
  const isMatch = matchesPattern(source, flags);
  return {
    uses,
    get(state) {
      const text = get(state);
      return typeof text === 'string' && isMatch(text);
    },
  };
}

/** Compiles `list.some(item => condition)`. */
function compileSome({ object, given: [test, ...rest], isNested, compile }: Call): Compiled {
  const [name, body] = rest.length === 0 ? functionOf(test) : [];
  if (name === undefined || body === undefined) {
    throw new SessionError('some needs a condition: messages.some(m => m.modifier == "ai").');
  }
  let item: unknown;
  const shape = object.shape === 'messages' ? 'message' : undefined;
  const local: Compiled = { get: () => item, uses: NOTHING, ...(shape && { shape }) };
  const condition = compile(body, { [name]: local });
  const { conversation, rest: other, act } = condition.uses;
  const dependsOnItem = !isNested && !conversation && !other && !act;
  const count = object.shape === 'messages' && dependsOnItem ? countMatches() : undefined;
  return {
    uses: bothUses(object.uses, condition.uses),
    get(state) {
      const isMatch = (candidate: unknown) => {
        item = candidate;
        return Boolean(condition.get(state));
      };
      const list = object.get(state);
      if (count !== undefined) return count(vectorIn(list), isMatch) > 0;
      return itemsOf(object, list).some(isMatch);
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

/** Returns the items of a list of the state; none when it is not a list. */
function itemsOf({ shape }: Compiled, list: unknown): readonly unknown[] {
  if (shape !== 'messages' && shape !== 'content') return Array.isArray(list) ? list : [];
  return list === undefined ? [] : toArray(vectorIn(list));
}

// The shape guarantees the type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const vectorIn = (list: unknown) => list as Vector<unknown>;

/**
 * Returns a function that counts the messages that match. The next call tests only messages that differ from those of the previous one:
 * a search evaluates an expression at each step.
 */
function countMatches(): (list: Vector<unknown>, isMatch: (message: unknown) => boolean) => number {
  let known: { readonly list: Vector<unknown>; readonly count: number } | undefined;
  return (list, isMatch) => {
    const before = known !== undefined && known.list.length <= list.length ? known : undefined;
    const change = (message: unknown, by: number) => (message !== undefined && isMatch(message) ? by : 0);
    let count = before?.count ?? 0;
    const indexes =
      before === undefined
        ? Array.from({ length: list.length }, (_, i) => i)
        : differingIndexes(before.list, list);
    for (const index of indexes) {
      count += change(itemAt(list, index), 1);
      if (before !== undefined) count += change(itemAt(before.list, index), -1);
    }
    known = { list, count };
    return count;
  };
}
