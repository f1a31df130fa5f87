import { ACTION_SECTIONS } from '#shared/actions/actionTable.ts';
import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { recordedAction } from '#shared/capture/recordedActions.ts';
import { windowClosed, windowOpened } from '#shared/actions/mainActions.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import { createEngine } from '../engine/createEngine.ts';
import { createParleyEngine } from '../parley/parley.ts';

/** One row for each update. Times are milliseconds since the start of the recording. No column contains texts of messages. */
interface UpdateRow {
  /** The number of the update, from 1. */
  readonly update: number;
  /** The time of the tick that released it. */
  readonly tick_ms: number;
  readonly kind: string;
  readonly effect: 'applied' | 'ignored';
  /** The time from its frame to its tick. */
  readonly waited_ms: number;
  /** The size of its frame. */
  readonly bytes: number;
  /** The paths of the conversation, or of another app’s state, that it changed, with indices as `*`, each once. */
  readonly paths: readonly string[];
  /** The number of messages after it; `null` for another app. */
  readonly messages: number | null;
  /** The status of the connection at the tick. */
  readonly connection: string;
}

/** What is measured of the updates of a replay. */
interface Watch {
  /** Is called with the kind of each update when its frame is received. */
  onReceived?(kind: string): void;
  /** Is called at each tick; times are milliseconds since the start of the recording. `row` must be called at once. */
  onReleased(tick: number, receivedAt: number, row: () => UpdateRow): void;
}

/** The numbers of a replay at its end. What only Parley has is `null` for another app. */
interface Measured {
  readonly received: number;
  readonly sent: number;
  readonly rejected: Readonly<Partial<Record<string, number>>>;
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
  const engine = createParleyEngine({
    onUpdate: ({ kind }) => onReceived?.(kind),
    onStep: (step) =>
      onReleased(step.tick, step.receivedAt, () => ({
        ...numbersOf(step),
        paths: pathsOf(stateDiff(step.before.conversation, step.after.conversation)),
        messages: step.after.conversation.messages.length,
        connection: step.after.connection.status,
      })),
  });
  return {
    take(record) {
      acts.take(record);
      return engine.take(record);
    },
    finish() {
      const { counts, virtualMs } = engine.finish();
      return { ...counts, virtualMs, ...acts.counts() };
    },
  };
}

/** Starts the replay of a session of another app. */
export function replayApp(adapter: SessionAdapter, { onReceived, onReleased }: Watch): MeasuredReplay {
  const acts: Tally = {};
  const engine = createEngine(adapter, {
    onUpdate: (update) => onReceived?.(adapter.kind(update)),
    onStep: (step) =>
      onReleased(step.tick, step.receivedAt, () => ({
        ...numbersOf(step),
        paths: pathsOf(valueDiff(ownStateOf(adapter, step.before), ownStateOf(adapter, step.after))),
        messages: null,
        connection: step.after.connection.status,
      })),
  });
  return {
    take(record) {
      if (isKnown(record) && record.type === 'action') tally(acts, record.action.type);
      return engine.take(record);
    },
    finish() {
      const { counts, queue } = engine.finish();
      return { ...counts, virtualMs: queue.lastTick, dropped: null, acts, windows: null };
    },
  };
}

interface Released extends Pick<UpdateRow, 'kind' | 'effect' | 'bytes'> {
  readonly number: number;
  readonly tick: number;
  readonly receivedAt: number;
}

const numbersOf = ({ number, tick, receivedAt, kind, effect, bytes }: Released) => ({
  update: number,
  tick_ms: rounded(tick),
  kind,
  effect,
  waited_ms: rounded(tick - receivedAt),
  bytes,
});

/** Returns the paths of changes, with indices as `*`, each once. */
const pathsOf = (changes: readonly { readonly path: string }[]): string[] => [
  ...new Set(changes.map(({ path }) => path.replace(/\[\d+\]/g, '[*]'))),
];

/** Rounds milliseconds to microseconds: the further digits of sums of fractions have no meaning. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Counts by name. */
export type Tally = Record<string, number>;

/** Adds 1 to the count of a name. */
export const tally = (into: Tally, name: string): void => {
  into[name] = (into[name] ?? 0) + 1;
};

/** Counts what the person did, and the windows. Actions that rebuild the state at the start of a capture (`synthetic`) are not acts. */
function watchActs() {
  const acts: Tally = {};
  const own: Tally = {};
  const open = new Set<number>();
  const windows = { opened: 0, closed: 0, mostOpen: 0 };
  return {
    take(record: CaptureRecord) {
      if (!isKnown(record) || record.type !== 'action') return;
      const action = recordedAction(record);
      if (action === undefined) return;
      const isNew = record.synthetic === undefined;
      if (windowOpened.match(action)) {
        open.add(action.payload.number);
        windows.mostOpen = Math.max(windows.mostOpen, open.size);
        if (isNew) windows.opened++;
      } else if (windowClosed.match(action)) {
        open.delete(action.payload.number);
        windows.closed++;
      } else if (isNew && Object.hasOwn(ACTION_SECTIONS.user, action.type)) tally(acts, action.type);
      else if (isNew && Object.hasOwn(ACTION_SECTIONS.window, action.type)) tally(own, action.type);
    },
    /** The acts by type; the windows that opened and closed, the most at the same time, and their own actions by type. */
    counts: () => ({ acts, windows: { ...windows, actions: own } }),
  };
}
