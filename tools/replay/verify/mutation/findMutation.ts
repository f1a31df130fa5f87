import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import type { ParleyAdapter } from '#shared/replay/adapter.ts';
import { updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import { valueDiff } from '../../diff/valueDiff.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../../engine/appSession.ts';
import { createEngine } from '../../engine/createEngine.ts';
import type { ReplayState } from '../../engine/parley.ts';
import { replayFile } from '../../engine/replayFile.ts';
import type { SessionAdapter, SessionState } from '../../engine/sessionAdapter.ts';
import { frozenAdapter, frozenParley, isFrozenError } from './frozen.ts';

/** A state that a reducer mutated instead of returning another one. */
export interface Mutation {
  /** The number of the update whose reducer did it. */
  readonly update: number;
  /** The type of the action whose reducer did it before that update, when it is not the update. */
  readonly action?: string;
  /** The first path of the state before that update that is different after it; empty when it mutated an object outside that state. */
  readonly path: string;
}

/** Replayed code of which mutations are found. */
export interface Examined<State extends SessionState, Update, Action> {
  readonly adapter: SessionAdapter<State, Update, Action>;
  /** The same code with states that are frozen. */
  readonly frozen: SessionAdapter<State, Update, Action>;
  /** Returns the type of an action; `undefined` when it releases an update. */
  readonly typeOf: (action: Action) => string | undefined;
  /** Returns the forms of a state in which a change is looked for: first the one that people know; `undefined` when a state has none. */
  readonly formsOf: (state: State) => readonly [object | undefined, object];
}

/** Examines Parley. */
export const examinedParley = (adapter: ParleyAdapter) => ({
  adapter,
  frozen: frozenParley(adapter),
  typeOf: ({ type }: { readonly type: string }) =>
    type === updateApplied.type || type === updateIgnored.type ? undefined : type,
  formsOf: parleyForms,
});

/** Returns a state with the conversation in the form of the specification and the arrivals as a list, if that is possible, and both as they are. */
function parleyForms({ conversation, arrivals, ...others }: ReplayState): [object | undefined, object] {
  const internal = { conversation, arrivals };
  try {
    return [{ ...toSnapshot(conversation), arrivals: toArray(arrivals), ...others }, internal];
  } catch {
    // A mutated vector may not be readable.
    return [undefined, internal];
  }
}

/** Examines the adapter of another app. */
export function examinedApp(app: AppAdapter) {
  const adapter = sessionOf(app);
  type Action = Parameters<typeof adapter.reduce>[1];
  return {
    adapter,
    frozen: sessionOf(frozenAdapter(app)),
    typeOf: (action: Action) => (action.type === 'acted' ? action.action.type : undefined),
    formsOf: ({ state }: AppSession): [object, object] => [{ state }, {}],
  };
}

/**
 * Finds the first mutation of a state: replays a capture with frozen states, and repeats the call that threw with a copy of its state. Resolves to
 * `undefined` when there is none.
 */
export async function findMutation<State extends SessionState, Update, Action>(
  capture: string,
  examined: Examined<State, Update, Action>,
): Promise<Mutation | undefined> {
  let steps = 0;
  let mutated: Mutation | undefined;
  const reporting = reportMutations(examined, (action, path) => {
    const type = examined.typeOf(action);
    mutated ??= { update: steps + 1, ...(type !== undefined && { action: type }), path };
  });
  const engine = createEngine(reporting, { onStep: () => void steps++ });
  // Another error is reported by the comparison.
  await replayFile(capture, engine).catch(() => undefined);
  return mutated;
}

/**
 * Returns code with frozen states that calls back when an action mutates one, with the first path that the action changes; the path is empty when
 * it changes an object outside the state. The error is thrown too.
 */
export function reportMutations<State extends SessionState, Update, Action>(
  { adapter, frozen, formsOf }: Examined<State, Update, Action>,
  onMutation: (action: Action, path: string) => void,
): SessionAdapter<State, Update, Action> {
  const mutatedPath = (state: State, action: Action): string => {
    // The copy is not frozen.
    const copy = structuredClone(state);
    const before = structuredClone(formsOf(copy));
    try {
      adapter.reduce(copy, action);
    } catch {
      // What it changed until then counts.
    }
    const after = formsOf(copy);
    for (const form of [0, 1] as const) {
      const [left, right] = [before[form], after[form]];
      const [change] = left === undefined || right === undefined ? [] : valueDiff(left, right);
      if (change !== undefined) return change.path;
    }
    return '';
  };
  return {
    ...frozen,
    reduce(state, action) {
      try {
        return frozen.reduce(state, action);
      } catch (error) {
        if (isFrozenError(error)) onMutation(action, mutatedPath(state, action));
        throw error;
      }
    },
  };
}
