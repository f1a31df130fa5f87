import type jsep from 'jsep';
import { SessionError } from '../trace/app.ts';
import { LongList } from '../trace/longList.ts';
import { type Compiled, type Names, isEqual, isNode, usesOf } from './compiled.ts';
import { matchesPattern } from './textMatch.ts';

/** A call `object.name(…)` and a function that compiles its parts. */
export interface Call {
  readonly object: Compiled;
  readonly name: string;
  readonly given: readonly jsep.Expression[];
  /** Whether it is in a condition of `some`, so that its value can depend on the item. */
  readonly isNested: boolean;
  /** @param item the name of the item in a condition of `some`. */
  readonly compile: (node: jsep.Expression, item?: Names) => Compiled;
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
    ...usesOf(object, wanted),
    get: (after) => isPartOf(object.get(after), wanted.get(after)),
  };
}

const isPartOf = (whole: unknown, part: unknown): boolean =>
  typeof whole === 'string'
    ? typeof part === 'string' && whole.includes(part)
    : Array.isArray(whole) && whole.some((item) => isEqual(item, part));

function compileMatches({ object, given }: Call): Compiled {
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
function compileSome({ object, given: [test, ...rest], isNested, compile }: Call): Compiled {
  const [name, body] = rest.length === 0 ? functionOf(test) : [];
  if (name === undefined || body === undefined) {
    throw new SessionError('some needs a condition: messages.some(m => m.modifier == "ai").');
  }
  let item: unknown;
  const condition = compile(body, { [name]: { get: () => item } });
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
