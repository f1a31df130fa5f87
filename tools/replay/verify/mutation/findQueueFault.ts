import { toList } from '#shared/fifo.ts';
import { type ParleyAdapter, parleyAdapter } from '#shared/replay/adapter.ts';
import type { Update } from '#shared/protocol/update.ts';
import {
  sessionEnded,
  sessionLaunched,
  updateApplied,
  updateIgnored,
  updateReceived,
} from '#shared/actions/sessionActions.ts';
import { type ReplayState, createParleyEngine } from '../../engine/parley.ts';
import { replayFile } from '../../engine/replayFile.ts';

/** What went wrong with the order of the updates between their frames and their ticks. Updates are numbered in the order of their frames, from 1. */
export interface QueueFault {
  /** The update left the queue without a tick; was queued or released twice; or is before one that was received earlier. */
  readonly fault: 'lost' | 'repeated' | 'early';
  readonly update: number;
  /** The update that was received earlier, of an early one. */
  readonly before?: number;
  /** Where the queue differs from what it must contain. */
  readonly path: string;
}

/** The updates that must wait, the oldest first. */
interface Expected {
  readonly numbers: Map<Update, number>;
  waiting: readonly Update[];
}

type Action = Parameters<ParleyAdapter['reduce']>[1];

/**
 * Finds the first update that the app's queue loses, repeats or releases in another order: replays a capture, and compares the
 * queue with the updates of the frames after each action. Resolves to `undefined` when there is none.
 */
export async function findQueueFault(
  capture: string,
  parley: ParleyAdapter = parleyAdapter(),
): Promise<QueueFault | undefined> {
  let fault: QueueFault | undefined;
  let expected: Expected = { numbers: new Map(), waiting: [] };
  const reduce: ParleyAdapter['reduce'] = (state, action) => {
    const next = parley.reduce(state, action);
    if (fault !== undefined) return next;
    if (sessionLaunched.match(action) || sessionEnded.match(action))
      expected = { numbers: new Map(), waiting: [] };
    fault = changeExpected(expected, next, action) ?? compareQueue(expected, next);
    return next;
  };
  // Another error is reported by the comparison.
  const replay = async () => replayFile(capture, createParleyEngine({ adapter: { ...parley, reduce } }));
  await replay().catch(() => undefined);
  return fault;
}

/** Adds a received update, and removes a released one. Returns a fault when the released update is not the oldest. */
function changeExpected(expected: Expected, { queue }: ReplayState, action: Action): QueueFault | undefined {
  const { numbers, waiting } = expected;
  if (updateReceived.match(action) && queue.launchedAt !== null) {
    const { update } = action.payload;
    numbers.set(update, numbers.size + 1);
    expected.waiting = [...waiting, update];
  } else if (updateApplied.match(action) || updateIgnored.match(action)) {
    const { update } = action.payload;
    if (update !== waiting[0]) return misplaced(expected, update, 0);
    expected.waiting = waiting.slice(1);
  }
  return undefined;
}

function compareQueue({ numbers, waiting }: Expected, { queue }: ReplayState): QueueFault | undefined {
  const actual = toList(queue.waiting).map(({ update }) => update);
  const index = Array.from({ length: Math.max(waiting.length, actual.length) }).findIndex(
    (_, i) => waiting[i] !== actual[i],
  );
  if (index === -1) return undefined;
  const wanted = waiting[index];
  if (wanted !== undefined && !actual.includes(wanted))
    return { fault: 'lost', update: numbers.get(wanted) ?? 0, path: pathOf(index) };
  return misplaced({ numbers, waiting }, actual[index], index);
}

/** Describes an update that is in the place of another one. */
function misplaced(
  { numbers, waiting }: Expected,
  found: Update | undefined,
  index: number,
): QueueFault | undefined {
  const other = waiting[index];
  if (found === undefined) return undefined;
  const update = numbers.get(found) ?? 0;
  const path = pathOf(index);
  if (other === undefined || waiting.indexOf(found) <= index) return { fault: 'repeated', update, path };
  return { fault: 'early', update, before: numbers.get(other) ?? 0, path };
}

const pathOf = (index: number): string => `queue.waiting[${index}]`;
