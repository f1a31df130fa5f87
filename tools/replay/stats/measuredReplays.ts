import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { createAppEngine } from '../engine/createAppEngine.ts';
import { createFold } from '../engine/createFold.ts';
import { observeUpdates } from '../engine/observeUpdates.ts';
import { watchActs } from './watchActs.ts';
import { type Tally, tally } from './watchTraffic.ts';

/** What is measured of the updates of a replay. */
interface Watch {
  /** Is called with the kind of each update when its frame is received. */
  onReceived(kind: string): void;
  /** Is called at each tick; times are milliseconds since the start of the recording. */
  onReleased(tick: number, receivedAt: number): void;
}

/** The numbers of a replay at its end. What only Parley has is `null` for another app. */
interface Measured {
  readonly received: number;
  readonly sent: number;
  readonly rejected: Readonly<Record<string, number>>;
  readonly applied: number;
  readonly ignored: number;
  readonly dropped: number | null;
  readonly virtualMs: number;
  /** The acts of the person by type; of another app, its recorded actions. */
  readonly acts: Readonly<Tally>;
  readonly windows: ReturnType<ReturnType<typeof watchActs>['counts']>['windows'] | null;
}

/** A replay that is measured. */
interface MeasuredReplay {
  /** Returns `false` after the end of the session. */
  take(record: CaptureRecord): boolean;
  finish(): Measured;
}

/** Starts the replay of a session of Parley. */
export function replayParley({ onReceived, onReleased }: Watch): MeasuredReplay {
  const acts = watchActs();
  const fold = createFold({
    code: observeUpdates(({ kind }) => onReceived(kind)),
    onStep: ({ tick, receivedAt }) => onReleased(tick, receivedAt),
  });
  return {
    take(record) {
      acts.take(record);
      return fold.take(record);
    },
    finish() {
      const { counts, virtualMs } = fold.finish();
      return { ...counts, virtualMs, ...acts.counts() };
    },
  };
}

/** Starts the replay of a session of another app. */
export function replayApp(adapter: AppAdapter, { onReceived, onReleased }: Watch): MeasuredReplay {
  const acts: Tally = {};
  const engine = createAppEngine(adapter, {
    onUpdate: (update) => onReceived(adapter.kind(update)),
    onStep: ({ tick, receivedAt }) => onReleased(tick, receivedAt),
  });
  return {
    take(record) {
      if (isKnown(record) && record.type === 'action') tally(acts, record.action.type);
      return engine.take(record);
    },
    finish() {
      const { counts, virtualMs } = engine.finish();
      return { ...counts, virtualMs, dropped: null, acts, windows: null };
    },
  };
}
