import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Notification, Rejection } from './sessionAdapter.ts';

/** The effect of one update at its tick. */
export interface Step<State = unknown, Update = unknown> {
  /** The update's number, from 1. */
  readonly number: number;
  /** The times of its frame and of its tick, milliseconds since the start of the recording. */
  readonly receivedAt: number;
  readonly tick: number;
  /** The size of its frame. */
  readonly bytes: number;
  readonly kind: string;
  readonly update: Update;
  readonly effect: 'applied' | 'ignored';
  /** The text of the notification that it showed. */
  readonly notification: Notification | undefined;
  readonly before: State;
  readonly after: State;
}

/** Where a replay stops early. */
export interface Limits {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** Stops at this time, milliseconds since the start of the recording; a tick at exactly this time still runs. */
  readonly at?: number | undefined;
}

export interface EngineOptions<State, Update> extends Limits {
  /** The state from which the engine continues; by default the beginning of a session. */
  readonly start?: State | undefined;
  /** Continues after the end of the session, as the program does; by default the engine stops before it. */
  readonly passesEnd?: boolean | undefined;
  /** Is called for each update at its tick. */
  readonly onStep?: ((step: Step<State, Update>) => void) | undefined;
  /** Is called for each update when its frame is received. */
  readonly onUpdate?: ((update: Update) => void) | undefined;
  /** Is called for each received frame that the decoder rejects. */
  readonly onRejected?: ((rejection: Rejection) => void) | undefined;
}

/** Runs a capture through the code of an app. */
export interface Engine<Result = unknown> {
  /** Takes the next record, in order. Returns `false` after a limit: all further records are ignored. */
  take(record: CaptureRecord): boolean;
  /** Advances the time until no update waits, and returns the result. Updates still wait after a limit, or after the end of the session. */
  finish(): Result;
}

/** An engine whose virtual time the caller can advance in pieces. */
export interface PacedEngine<Result> extends Engine<Result> {
  /** Releases the updates that were released before a record (by default: all), but at most `most`; returns `true` when there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean;
  /** Returns when the next update before a record (by default: the end) is released; `undefined` when none is. */
  nextTick(record?: CaptureRecord): number | undefined;
}

/** An engine with its current state, which is never changed: from any state another engine can continue. */
export interface StateEngine<State> extends PacedEngine<State> {
  state(): State;
}
