import type { Differ } from '../diff/diffCaptures.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { type AppView, appView, requirePlainData } from './appResult.ts';

/** Returns what compares sessions of another app: the state and the display, then the counts and the connection. */
export const appDiffer = (adapter: AppAdapter): Differ<AppSession> => ({
  replay(records, limits) {
    const engine = createEngine(sessionOf(adapter), limits);
    records.every(engine.take);
    return engine.finish();
  },
  updates: ({ counts }) => counts.applied + counts.ignored,
  states: (a, b) => valueDiff(plainView(adapter, a), plainView(adapter, b)),
  others: (a, b) => valueDiff(othersOf(a), othersOf(b)),
});

/** @throws {TypeError} when a comparison would not see a value. */
function plainView(adapter: AppAdapter, { state }: AppSession): AppView {
  const view = appView(adapter, state);
  requirePlainData(view);
  return view;
}

const othersOf = ({ counts, connection }: AppSession) => ({ counts, connection });
