import type { CaptureRecord } from '#shared/capture/format.ts';

/**
 * How the replay tool replays an app that keeps the session in its own state, as a store does: beside what it shows, the queue, the counts and the
 * connection. All of its functions are pure, and its state is plain data.
 */
export interface SessionAdapter<
  State extends SessionState = SessionState,
  Update = unknown,
  Action = unknown,
> {
  /** The app's name, in reports and goldens. */
  readonly name: string;
  /** The state before the first record. */
  readonly initialState: State;
  /** Returns the state after an action. */
  reduce(state: State, action: Action): State;
  /** Returns what a record gives: a frame, an act, a report of a window, a launch. `bytes` is the size of a received frame on the wire. */
  take(record: CaptureRecord, state: State, bytes: number): TakenRecord<Update, Action>;
  /** Returns whether a record ends the session. Updates that still wait then were never shown. */
  endsSession?(record: CaptureRecord): boolean;
  /** Returns the oldest waiting update; `undefined` when none waits. */
  next(state: State): WaitingUpdate<Update> | undefined;
  /** Returns the actions that release the oldest waiting update at a tick, in milliseconds since the launch. */
  release(state: State, tick: number): readonly Action[];
  /** Returns the actions of such a release when a reducer threw. The error is reported in any case. */
  failedRelease?(state: State, tick: number): readonly Action[];
  /** Returns the kind of an update, which reports show. */
  kind(update: Update): string;
}

/** What a record gives: its actions, in order, and of a received frame the update or why it is none. */
export interface TakenRecord<Update, Action> {
  readonly actions: readonly Action[];
  readonly update?: Update;
  readonly rejected?: Rejection;
}

/** Why a frame is not an update; `where` is the path of the field that is wrong. */
export interface Rejection {
  readonly reason: string;
  readonly where?: string;
}

/** An update that waits for its tick. Times are in milliseconds since the launch. */
export interface WaitingUpdate<Update> {
  readonly update: Update;
  /** The size of its frame. */
  readonly bytes: number;
  /** When its frame was received. */
  readonly at: number;
  /** The tick that releases it. */
  readonly tick: number;
}

/** What the tool reads of a state. */
export interface SessionState {
  readonly counts: {
    readonly received: number;
    readonly sent: number;
    readonly applied: number;
    readonly ignored: number;
    readonly rejected: Readonly<Partial<Record<string, number>>>;
  };
  /** `launchedAt` is a time of the capture, `null` while no session runs; `lastTick` is in milliseconds since the launch. */
  readonly queue: {
    readonly length: number;
    readonly bytes: number;
    readonly launchedAt: number | null;
    readonly lastTick: number;
  };
  readonly connection: {
    readonly status: 'connected' | 'disconnected';
    /** The code or the reason of the last close. */
    readonly closedBecause: string | null;
  };
}
