import { isPath, keysOf } from '../../../diff/valueDiff.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { type InspectedApp, SessionError } from './app.ts';
import { valueIn } from './stateTree.ts';

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
  return (state) => valueIn({ [name]: namedValue(app, name, state) }, path);
}

/** Returns the value with a name. Of the queue, people see the numbers. */
export function namedValue(app: InspectedApp, name: string, state: SessionState): unknown {
  if (name !== 'queue') return app.value(name, state);
  const { length, bytes } = state.queue;
  return { length, bytes };
}
