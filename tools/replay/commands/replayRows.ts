import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { roundTime } from '#shared/clock.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { type Change, valueDiff } from '../diff/valueDiff.ts';
import { createEngine } from '../engine/createEngine.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';

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

/** Starts the replay of a session. @param adapter that of another app; Parley by default. */
export const measuredReplay = (adapter: SessionAdapter | undefined, watch: Watch) =>
  adapter === undefined
    ? measured(parleyAdapter(), watch, {
        changes: (before, after) => stateDiff(before.conversation, after.conversation),
        messages: ({ conversation }) => conversation.messages.length,
        dropped: ({ counts }) => counts.dropped,
      })
    : measured(adapter, watch, {
        changes: (before, after) => valueDiff(ownStateOf(adapter, before), ownStateOf(adapter, after)),
        messages: () => null,
        dropped: () => null,
      });

/** What differs between Parley and other apps. */
interface Measures<State> {
  changes(before: State, after: State): readonly Change[];
  messages(state: State): number | null;
  /** Returns the number of messages that were dropped unsent. */
  dropped(state: State): number | null;
}

function measured<State extends SessionState, Update, Action>(
  adapter: SessionAdapter<State, Update, Action>,
  { onReceived, onReleased }: Watch,
  { changes, messages, dropped }: Measures<State>,
) {
  const engine = createEngine(adapter, {
    onUpdate: (update) => onReceived?.(adapter.kind(update)),
    onStep: ({ number, tick, receivedAt, kind, effect, bytes, before, after }) =>
      onReleased(tick, receivedAt, () => ({
        update: number,
        tick_ms: roundTime(tick),
        kind,
        effect,
        waited_ms: roundTime(tick - receivedAt),
        bytes,
        paths: pathsOf(changes(before, after)),
        messages: messages(after),
        connection: after.connection.status,
      })),
  });
  return {
    /** Returns `false` after the end of the session. */
    take: (record: CaptureRecord): boolean => engine.take(record),
    /** Returns the counts at the end. `virtualMs` is the last used tick. */
    finish() {
      const state = engine.finish();
      return { counts: state.counts, dropped: dropped(state), virtualMs: state.queue.lastTick };
    },
  };
}

/** Returns the paths of changes, with indices as `*`, each once. */
const pathsOf = (changes: readonly { readonly path: string }[]): string[] => [
  ...new Set(changes.map(({ path }) => path.replace(/\[\d+\]/g, '[*]'))),
];
