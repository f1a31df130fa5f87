import type { CaptureRecord } from '#shared/capture/format.ts';
import { type ActsState, actsPart } from '#shared/capture/actsState.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Word } from '#shared/conversation/words.ts';
import type { FrameError } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { Arrivals } from '#shared/store/arrivals.ts';
import type { SnapshotFields } from '#shared/store/conversation.ts';
import type { CountsState } from '#shared/store/counts.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { NotificationText } from '#shared/store/selectors.ts';

/** The effect of one update at its tick. */
export interface Step {
  /** The update's number, from 1. */
  readonly number: number;
  /** The times of its frame and of its tick, milliseconds since the start of the recording. */
  readonly receivedAt: number;
  readonly tick: number;
  readonly update: Update;
  readonly effect: 'applied' | 'ignored';
  readonly before: Conversation;
  readonly after: Conversation;
  /** The text of the notification that it showed. */
  readonly notification: NotificationText | undefined;
}

/**
 * The state of a session, as in main's store. It is plain data, and any state is a checkpoint: an engine that starts from it, also
 * after a round trip through JSON, reaches the same end with the rest of the records.
 */
export interface ReplayState extends ActsState {
  readonly conversation: Conversation;
  readonly arrivals: Arrivals;
  readonly appliedUpdates: number;
  readonly snapshotFields: SnapshotFields;
  readonly words: readonly Word[];
  readonly counts: CountsState;
  /**
   * The size of a waiting update is that of its frame on the wire. `launchedAt` is a time of the capture; the other times are since the
   * launch.
   */
  readonly queue: QueueState;
}

/** Returns the state of a replay, of a larger state. */
export const replayPart = (state: ReplayState): ReplayState => ({
  ...actsPart(state),
  conversation: state.conversation,
  arrivals: state.arrivals,
  appliedUpdates: state.appliedUpdates,
  snapshotFields: state.snapshotFields,
  words: state.words,
  counts: state.counts,
  queue: state.queue,
});

/** The result of a replay. Updates still wait after a limit, or after the end of the session. */
export interface Replay extends ReplayState {
  readonly notifications: readonly NotificationText[];
  /** The last tick that was used, in milliseconds since the launch; 0 when none was. */
  readonly virtualMs: number;
}

/** Where a replay stops early. */
export interface Limits {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** Stops at this time, milliseconds since the start of the recording; a tick at exactly this time still runs. */
  readonly at?: number | undefined;
}

export interface EngineOptions extends Limits {
  /** The state from which the engine continues; by default the beginning of a session. */
  readonly start?: ReplayState | undefined;
  /** Continues after the end of the session, as the program does; by default the engine stops before it. */
  readonly passesEnd?: boolean;
  /** Is called for each update at its tick. */
  readonly onStep?: ((step: Step) => void) | undefined;
  /** Is called for each received frame that the decoder rejects. */
  readonly onRejected?: ((error: FrameError) => void) | undefined;
}

/** Runs a capture through the app's code. Parley has two engines, with the same results; another app's adapter has one. */
export interface Engine<Result = Replay> {
  /** Takes the next record, in order. Returns `false` after a limit: all further records are ignored. */
  take(record: CaptureRecord): boolean;
  /** Advances the time until no update waits, and returns the result. */
  finish(): Result;
}

/** An engine whose virtual time the caller can advance in pieces. */
export interface PacedEngine<Result> extends Engine<Result> {
  /** Releases the updates that were released before a record (by default: all), but at most `most`; returns `true` when there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean;
  /** Returns when the next update before a record (by default: the end) is released; `undefined` when none is. */
  nextTick(record?: CaptureRecord): number | undefined;
}

/** An engine of Parley, from whose state another one can continue. */
export interface TimedEngine extends PacedEngine<Replay> {
  /** Returns the current state. */
  checkpoint(): ReplayState;
}
