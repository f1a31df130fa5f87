import { isJsonObject } from '#shared/json.ts';
import { type Change, fieldPath, isPath, itemPath, keysOf, valueDiff } from '../../../diff/valueDiff.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { type InspectedApp, SessionError } from './app.ts';
import { LongList, fieldOf } from './stateTree.ts';

/** Returns the names with which a path can begin: those of the app, and the queue. */
export const pathNames = ({ names }: Pick<InspectedApp, 'names'>): readonly string[] => [...names, 'queue'];

/**
 * Returns a function that reads the value at a path of a state, with the names and indexes that the inspector's tree shows; `undefined` where there is
 * none. Long lists are `LongList`s.
 * @throws {SessionError} when the text is not a path, or does not begin with a name of the state.
 */
export function valueReader(app: InspectedApp, path: string): (state: SessionState) => unknown {
  if (!isPath(path))
    throw new SessionError(`“${path}” is not a path; a path is written like messages[3].content[0].text.`);
  const names = pathNames(app);
  const name = names.find((one) => one === keysOf(path)[0]);
  if (name === undefined)
    throw new SessionError(`“${path}” is not a path of the state; a path begins with ${names.join(', ')}.`);
  const [, ...keys] = keysOf(path);
  const [first = '', ...inItem] = keys;
  const index = /^\d+$/.test(first) ? Number(first) : undefined;
  let [item, last]: unknown[] = [];
  return (state) => {
    const value = namedValue(app, name, state);
    if (index === undefined || !(value instanceof LongList)) return keys.reduce(fieldOf, value);
    // An item of a long list hardly ever changes.
    const now = value.itemAt(index);
    if (now !== item) [item, last] = [now, inItem.reduce(fieldOf, value.at(index))];
    return last;
  };
}

/** Returns the value with a name. Of the queue, people see the numbers. */
export function namedValue(app: InspectedApp, name: string, state: SessionState): unknown {
  if (name !== 'queue') return app.value(name, state);
  const { length, bytes } = state.queue;
  return { length, bytes };
}

/** Returns whether two values of a path differ. */
export const isDifferent = (before: unknown, after: unknown): boolean =>
  before !== after && valueDiff(comparable(before), comparable(after)).length > 0;

/** Returns a value for comparison: vectors, which are plain data, in place of a list or of the lists of a message. */
function comparable(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return value instanceof LongList
    ? vectorOf(value)
    : Object.fromEntries(Object.entries(value).map(([key, field]) => [key, vectorOf(field)]));
}

const vectorOf = (value: unknown): unknown => (value instanceof LongList ? value.plain() : value);

/** Returns how two values of a path differ, only at the innermost places, with the indexes that the tree shows. */
export function shownDiff(before: unknown, after: unknown, path: string): readonly Change[] {
  if (before === after) return [];
  if (before instanceof LongList && after instanceof LongList) return listDiff(before, after, path);
  if (
    !isJsonObject(before) ||
    !isJsonObject(after) ||
    before instanceof LongList ||
    after instanceof LongList
  )
    return valueDiff(before, after, path);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => shownDiff(before[key], after[key], fieldPath(path, key)));
}

function listDiff(before: LongList, after: LongList, path: string): readonly Change[] {
  const isShorter = after.length < before.length;
  const shared = isShorter
    ? Array.from({ length: after.length }, (_, index) => index)
    : after.indexesSince(before);
  const changes = shared.flatMap((index) =>
    shownDiff(before.at(index), after.at(index), itemPath(path, index)),
  );
  const length = { path: fieldPath(path, 'length'), before: before.length, after: after.length };
  return isShorter ? [...changes, length] : changes;
}
