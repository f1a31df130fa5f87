import { updateApplied, updateIgnored } from '#shared/store/updates.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { valueDiff } from '../../diff/valueDiff.ts';
import {
  type StoreEngineOptions,
  type StoreReducer,
  createStoreEngine,
} from '../../engine/createStoreEngine.ts';
import { replayFile } from '../../engine/replayFile.ts';
import type { Mutation } from './findMutation.ts';
import { frozen, isFrozenError } from './frozenCode.ts';

type State = ReturnType<StoreReducer>;
type Action = Parameters<StoreReducer>[1];

/** Returns a reducer whose states are deeply frozen: a reducer that mutates a state throws a `TypeError`. */
export const frozenReducer =
  (reducer: StoreReducer): StoreReducer =>
  (state, action) =>
    frozen(reducer(state, action));

/**
 * Finds the first mutation of a state in the app's store: replays a capture with frozen states, and repeats the call that threw with a copy of its
 * state. Resolves to `undefined` when there is none.
 */
export async function findStoreMutation(capture: string): Promise<Mutation | undefined> {
  let steps = 0;
  let mutated: Mutation | undefined;
  const wrapReducer = (reducer: StoreReducer) =>
    reportMutations(reducer, (action, path) => {
      mutated ??= { update: steps + 1, ...(isUpdate(action) ? {} : { action: action.type }), path };
    });
  // Another error is reported by the comparison.
  await replayWith(capture, { wrapReducer, onStep: () => void steps++ }).catch(() => undefined);
  return mutated;
}

/**
 * Returns a reducer with frozen states that calls back when an action mutates one, with the first path that the action changes; the path is
 * empty when it changes an object outside the state. The error is thrown too.
 */
export function reportMutations(
  reducer: StoreReducer,
  onMutation: (action: Action, path: string) => void,
): StoreReducer {
  const reduce = frozenReducer(reducer);
  return (state, action) => {
    try {
      return reduce(state, action);
    } catch (error) {
      if (isFrozenError(error)) onMutation(action, mutatedPath(reducer, state, action));
      throw error;
    }
  };
}

const replayWith = async (capture: string, options: StoreEngineOptions) =>
  replayFile(capture, createStoreEngine({ ...options, passesEnd: true }));

const isUpdate = (action: Action): boolean => updateApplied.match(action) || updateIgnored.match(action);

/** Returns the first path of a state that a reducer changes. */
function mutatedPath(reducer: StoreReducer, state: Parameters<StoreReducer>[0], action: Action): string {
  if (state === undefined) return '';
  // The copy is not frozen. Without preloaded slices, every state is complete.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const copy = structuredClone(state) as State;
  const before = structuredClone(formsOf(copy));
  try {
    reducer(copy, action);
  } catch {
    // What it changed until then counts.
  }
  const after = formsOf(copy);
  // A mutated vector may not be readable.
  const shown = before.shown && after.shown ? valueDiff(before.shown, after.shown) : [];
  const [change] = [...shown, ...valueDiff(before.internal, after.internal)];
  return change?.path ?? '';
}

/** Returns a state with the conversation in the form of the specification and the arrivals as a list, if that is possible, and both as they are. */
function formsOf({ conversation, arrivals, ...others }: State) {
  const internal = { conversation, arrivals };
  try {
    return { shown: { ...toSnapshot(conversation), arrivals: toArray(arrivals), ...others }, internal };
  } catch {
    return { shown: undefined, internal };
  }
}
