import { valueDiff } from '../diff/valueDiff.ts';
import { createEngine } from '../engine/createEngine.ts';
import { replayFile } from '../engine/replayFile.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { deepFreeze } from '../engine/plainData.ts';
import { reportsOf } from '../engine/stateReports.ts';
import type { Mutation, QueueFault } from './resultRecord.ts';

/**
 * Finds the first mutation of a state: replays a capture with frozen states, and repeats the call that threw with a copy of its state. Resolves to
 * `undefined` when there is none.
 * @param isLog whether the app's code has run already, so that the call cannot be repeated: the path is then only the name of the field.
 */
export async function findMutation(capture: string, adapter: SessionAdapter, isLog = false) {
  let steps = 0;
  const found: Mutation[] = [];
  const reporting = reportMutations(adapter, (action, path, error) => {
    found.push({ update: steps + 1, action, path: isLog ? fieldOf(error) : path });
  });
  const engine = createEngine(reporting, { onStep: () => void steps++ });
  // Another error is reported by the comparison.
  await replayFile(capture, engine).catch(() => undefined);
  return found[0];
}

/**
 * Returns an adapter with frozen states that calls back when an action mutates one: with the type of the action, unless it releases an update, and
 * with the first path that it changes, which is empty when it changes an object outside the state. The error is thrown too.
 */
export function reportMutations(
  adapter: SessionAdapter,
  onMutation: (action: string | undefined, path: string, error: TypeError) => void,
): SessionAdapter {
  const frozen = frozenAdapter(adapter);
  let isReleasing = false;
  return {
    ...frozen,
    take(record, state, bytes) {
      isReleasing = false;
      return frozen.take(record, state, bytes);
    },
    release(state, tick) {
      isReleasing = true;
      return frozen.release(state, tick);
    },
    reduce(state, action) {
      try {
        return frozen.reduce(state, action);
      } catch (error) {
        if (!isFrozenError(error)) throw error;
        const type = isReleasing ? undefined : typeOf(adapter, action);
        onMutation(type, mutatedPath(adapter, state, action), error);
        throw error;
      }
    },
  };
}

function typeOf(adapter: SessionAdapter, action: unknown): string | undefined {
  const type: unknown = adapter.typeOf ? adapter.typeOf(action) : Object(action).type;
  return typeof type === 'string' ? type : undefined;
}

/** Returns the first path that an action changes in a copy of a state, which is not frozen. */
function mutatedPath(adapter: SessionAdapter, state: SessionState, action: unknown): string {
  const copy = structuredClone(state);
  const before = structuredClone(formsOf(adapter, copy));
  try {
    adapter.reduce(copy, action);
  } catch {
    // What it changed until then counts.
  }
  const after = formsOf(adapter, copy);
  const changes = before.flatMap((form, i) => (form && after[i] ? valueDiff(form, after[i]) : []));
  return changes[0]?.path ?? '';
}

/** Returns a state in the form that reports show, if that is possible, and as it is. */
function formsOf(adapter: SessionAdapter, state: SessionState): (object | undefined)[] {
  try {
    return [reportsOf(adapter).whole(state), state];
  } catch {
    // A part that was mutated may not be readable.
    return [undefined, state];
  }
}

/** Returns an adapter with states that are deeply frozen: a reducer that mutates a state throws a `TypeError`. The app may freeze parts of a state itself. */
export function frozenAdapter(adapter: SessionAdapter): SessionAdapter {
  const done = new WeakSet();
  return {
    ...adapter,
    initialState: deepFreeze(adapter.initialState, done),
    reduce: (state, action) => deepFreeze(adapter.reduce(state, action), done),
  };
}

/** Returns whether an error is that of an assignment to a frozen object. */
const isFrozenError = (error: unknown): error is TypeError =>
  error instanceof TypeError &&
  /read only property|not extensible|Cannot (?:delete|redefine|define) property/.test(error.message);

/** Returns the name of the field to which an assignment failed, from V8's message. */
const fieldOf = ({ message }: TypeError): string => /property '?([^',]+)/.exec(message)?.[1] ?? '';

/**
 * Finds the first update that the app's queue loses, repeats or releases in another order: replays a capture, and compares the
 * queue with the updates of the frames before each record and each release. Resolves to `undefined` when there is none, or when the adapter does not show
 * its queue.
 */
export async function findQueueFault(
  capture: string,
  adapter: SessionAdapter,
): Promise<QueueFault | undefined> {
  if (adapter.waiting === undefined) return undefined;
  let fault: QueueFault | undefined;
  let launchedAt = adapter.initialState.queue.launchedAt;
  /** The updates by number, and those that must wait, the oldest first. */
  let [numbers, waiting] = [new Map<unknown, number>(), [] as unknown[]];
  let received: unknown;
  const compare = (state: SessionState) => {
    if (launchedAt !== state.queue.launchedAt) [numbers, waiting] = [new Map<unknown, number>(), []];
    ({ launchedAt } = state.queue);
    if (received !== undefined && launchedAt !== null) {
      numbers.set(received, numbers.size + 1);
      waiting.push(received);
    }
    received = undefined;
    fault ??= compareQueue(numbers, waiting, adapter.waiting?.(state) ?? []);
  };
  const engine = createEngine({
    ...adapter,
    next(state) {
      compare(state);
      return adapter.next(state);
    },
    take(record, state, bytes) {
      const taken = adapter.take(record, state, bytes);
      received = taken.update;
      return taken;
    },
    release(state, tick) {
      waiting.shift();
      return adapter.release(state, tick);
    },
  });
  // Another error is reported by the comparison.
  await replayFile(capture, engine).catch(() => undefined);
  return fault;
}

function compareQueue(
  numbers: ReadonlyMap<unknown, number>,
  waiting: readonly unknown[],
  actual: readonly unknown[],
): QueueFault | undefined {
  const longer = waiting.length > actual.length ? waiting : actual;
  const index = longer.findIndex((_, i) => waiting[i] !== actual[i]);
  if (index === -1) return undefined;
  const [wanted, found] = [waiting[index], actual[index]];
  const numberOf = (update: unknown) => numbers.get(update) ?? 0;
  const path = `queue.waiting[${index}]`;
  if (wanted !== undefined && !actual.includes(wanted))
    return { fault: 'lost', update: numberOf(wanted), path };
  if (found === undefined) return undefined;
  if (wanted === undefined || waiting.indexOf(found) <= index)
    return { fault: 'repeated', update: numberOf(found), path };
  return { fault: 'early', update: numberOf(found), before: numberOf(wanted), path };
}
