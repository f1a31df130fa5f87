import type { CaptureRecord } from '#shared/capture/format.ts';
import { type AppView, appView, hashAppReplay, requirePlainData } from '../adapter/appResult.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import { isFrame } from '../engine/frames.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { Step } from '../engine/replay.ts';
import { goldenValue } from './goldenValue.ts';
import { recordedChanges } from './recordedChanges.ts';
import { type OnStep, type Tracer, emptyLists, inFold, watchConnection } from './tracer.ts';

/** Creates a tracer of an app's adapter. Paths begin with `state`, `display`, `counts` and `queue`. The first of the acts is the initial state. */
export function createAppTracer(adapter: AppAdapter, onStep: OnStep): Tracer<void> {
  const lists = emptyLists();
  let frame = 0;
  const view = viewOf(adapter);
  const engine = createEngine(sessionOf(adapter), {
    onStep: (step) => {
      const [before, after] = [view(step.before.state), view(step.after.state)];
      const [totalsBefore, totalsAfter] = [totals, totalsOf(step.after)];
      totals = totalsAfter;
      onStep({
        golden() {
          const differences = valueDiff({ ...before, ...totalsBefore }, { ...after, ...totalsAfter });
          return { ...aboutStep(step), ...recordedChanges(differences) };
        },
        stateBefore: () => ({ ...Object(goldenValue(before)), ...totalsBefore }),
      });
    },
    onRejected: (rejection) => void lists.rejected.push({ frame, ...rejection }),
  });
  let totals = totalsOf(engine.state());
  const initial = view(adapter.initialState);
  requirePlainData(initial);
  lists.acts.push({ at: 0, ...recordedChanges(valueDiff({}, initial)) });
  const watch = watchConnection(lists.connection);
  watch(0, engine.state());
  const take = (record: CaptureRecord): boolean => {
    engine.pass(record);
    const { state: before } = engine.state();
    const isTaken = engine.take(record);
    const { state: after } = engine.state();
    const differences = before === after ? [] : valueDiff(view(before), view(after));
    if (differences.length > 0) lists.acts.push({ at: record.t, ...recordedChanges(differences) });
    return isTaken;
  };
  return {
    take(record) {
      if (isFrame(record, 'recv')) frame++;
      const isTaken = inFold(() => take(record));
      watch(record.t, engine.state());
      return isTaken;
    },
    finish: () => inFold(() => requirePlainData(view(engine.finish().state))),
    lists,
    ended: () => undefined,
    end: () => ({ ...lists, end: endOf(adapter, engine.finish()) }),
  };
}

/** Returns a function that computes views; the last two are cached, because the state after one update is the state before the next one. */
function viewOf(adapter: AppAdapter): (state: unknown) => AppView {
  let known: AppView[] = [];
  return (state) => {
    const found = known.find((one) => one.state === state);
    if (found !== undefined) return found;
    const view = appView(adapter, state);
    known = [view, ...known].slice(0, 2);
    return view;
  };
}

const aboutStep = ({ number, tick, kind, effect }: Step) => ({ number, tick, kind, effect });

const totalsOf = ({ counts, queue: { length, bytes } }: AppSession) => ({ counts, queue: { length, bytes } });

const endOf = ({ name }: AppAdapter, replay: AppSession) => ({
  app: name,
  hash: hashAppReplay(replay),
  virtualMs: replay.queue.lastTick,
  ...totalsOf(replay),
});
