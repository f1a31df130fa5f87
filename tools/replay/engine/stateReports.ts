import { createHash } from 'node:crypto';
import { inPieces } from '#shared/capture/captureFormat.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import type { SessionAdapter, SessionState, StateReports } from './sessionAdapter.ts';

/** The parts of an adapter on which reports depend. */
type Shown<State extends SessionState> = Pick<SessionAdapter<State>, 'ownState' | 'display' | 'reports'>;

/** Returns what reports contain of the states of an app. */
export function reportsOf<State extends SessionState>(adapter: Shown<State>): StateReports<State> {
  const view = (state: State): object => viewOf(adapter, state);
  const others = ({ connection, counts }: State) => ({ counts, connection });
  return {
    view,
    viewChanges: (before, after) => valueDiff(view(before), view(after)),
    totals: totalsOf,
    totalsChanges: (before, after) => valueDiff(totalsOf(before), totalsOf(after)),
    actsChanges: (before, after) => valueDiff(before === undefined ? {} : view(before), view(after)),
    end: totalsOf,
    whole: (state) => ({ ...view(state), ...totalsOf(state), connection: state.connection }),
    hash: (state) =>
      sha256Of([canonicalJson({ ...createOutcome(state), state: ownStateOf(adapter, state) })]),
    stateChanges: (a, b) => valueDiff(view(a), view(b)),
    otherChanges: (a, b) => valueDiff(others(a), others(b)),
    ...adapter.reports,
  };
}

/** Returns what people and reports see of a state: the app's own state, and the display when the adapter has one. */
export const viewOf = <State extends SessionState>(adapter: Shown<State>, state: State) => ({
  state: ownStateOf(adapter, state),
  ...(adapter.display && { display: adapter.display(state) }),
});

/** Returns the app's own state. */
export function ownStateOf<State extends SessionState>(adapter: Shown<State>, state: State): unknown {
  if (adapter.ownState !== undefined) return adapter.ownState(state);
  const { counts: _counts, queue: _queue, connection: _connection, ...own } = state;
  return own;
}

const totalsOf = ({ counts, queue: { length, bytes } }: SessionState) => ({
  counts,
  queue: { length, bytes },
});

/** Returns `sha256:…` over texts, one after the other: together they can be longer than a string can be. */
export function sha256Of(texts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const piece of inPieces(texts)) hash.update(piece);
  return `sha256:${hash.digest('hex')}`;
}

/** Returns the result of a replay as the numbers of contract §7. */
export function createOutcome({ counts }: Pick<SessionState, 'counts'>) {
  const { received, sent, rejected, applied, ignored } = counts;
  const all = Object.values(rejected).reduce<number>((sum, n = 0) => sum + n, 0);
  return { frames: { received, sent, rejected: all }, updates: { applied, ignored } };
}
