import { type AppView, appView, hashAppReplay, requirePlainData } from '../adapter/appResult.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import { isFrame } from '../engine/actions.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type AppReplay, type AppStep, createAppEngine } from '../engine/createAppEngine.ts';
import { goldenValue } from './goldenValue.ts';
import { recordedChanges } from './recordedChanges.ts';
import { type OnStep, type Tracer, emptyLists, inFold, watchConnection } from './tracer.ts';

/** Creates a tracer of an app's adapter. Paths begin with `state`, `display`, `counts` and `queue`. The first of the acts is the initial state. */
export function createAppTracer(adapter: AppAdapter, onStep: OnStep): Tracer<void> {
  const lists = emptyLists();
  let frame = 0;
  const view = viewOf(adapter);
  const engine = createAppEngine(adapter, {
    onStep: (step) => {
      const totalsBefore = totals;
      totals = totalsOf(engine.replay());
      const [before, after] = [view(step.before), view(step.after)];
      const totalsAfter = totals;
      onStep({
        golden() {
          const differences = valueDiff({ ...before, ...totalsBefore }, { ...after, ...totalsAfter });
          return { ...aboutStep(step), ...recordedChanges(differences) };
        },
        stateBefore: () => ({ ...Object(goldenValue(before)), ...totalsBefore }),
      });
    },
    onAction: ({ t, before, after }) => {
      const differences = valueDiff(view(before), view(after));
      if (differences.length > 0) lists.acts.push({ at: t, ...recordedChanges(differences) });
    },
    onRejected: (rejection) => void lists.rejected.push({ frame, ...rejection }),
  });
  let totals = totalsOf(engine.replay());
  const initial = view(adapter.initialState);
  requirePlainData(initial);
  lists.acts.push({ at: 0, ...recordedChanges(valueDiff({}, initial)) });
  const watch = watchConnection(lists.connection);
  watch(0, engine.replay());
  return {
    take(record) {
      if (isFrame(record, 'recv')) frame++;
      const isTaken = inFold(() => engine.take(record));
      watch(record.t, engine.replay());
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

const aboutStep = ({ number, tick, kind, effect }: AppStep) => ({ number, tick, kind, effect });

/** Copies the counts and the size of the queue: the engine changes its own. */
const totalsOf = ({ counts, queue }: AppReplay) => ({
  counts: { ...counts, rejected: { ...counts.rejected } },
  queue,
});

const endOf = ({ name }: AppAdapter, replay: AppReplay) => ({
  app: name,
  hash: hashAppReplay(replay),
  virtualMs: replay.virtualMs,
  ...totalsOf(replay),
});
