import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { Change } from '../diff/valueDiff.ts';
import type { AppAction, AppAdapter } from './appAdapter.ts';

/**
 * How the replay tool replays an app that keeps the session in its own state, as a store does: beside what it shows, the queue, the counts and the
 * connection. All of its functions are pure, and its state is plain data.
 */
export interface SessionAdapter<
  State extends SessionState = SessionState,
  Update = unknown,
  Action = unknown,
> extends Pick<AppAdapter<State, Update>, 'name' | 'kind' | 'describeAction' | 'redact'> {
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
  /** Says why an action cannot be recorded, in a sentence; `undefined` when it can. By default every action can. */
  actionError?(action: AppAction): string | undefined;
  /** Describes an update on one line, for lists; by default, they show it as JSON. */
  describeUpdate?(update: Update): string;
  /** Returns the type of an action, for reports; by default its `type`. */
  typeOf?(action: Action): string | undefined;
  /** Returns the waiting updates, the oldest first. With it, `verify` names an update that the queue loses, repeats or moves. */
  waiting?(state: State): readonly Update[];
  /** Returns the text of the notification that an applied update shows. Goldens contain it. */
  notification?(update: Update, after: State): Notification | undefined;
  /** Returns the app's own state, which goldens and hashes contain; by default all of a state but the counts, the queue and the connection. */
  ownState?(state: State): unknown;
  /** Returns what people see of a state. Goldens contain its changes. */
  display?(state: State): unknown;
  /** What reports contain of a state, for an app whose states are too large to compare them as a whole. */
  readonly reports?: Partial<StateReports<State>>;
}

/** The text of a notification of the desktop. */
export interface Notification {
  readonly title: string;
  readonly body: string;
}

/**
 * What goldens, hashes and comparisons contain of a state. Each part has a default (`reportsOf`), which works for every state. Paths begin at the
 * objects that `view` and `totals` return.
 */
export interface StateReports<State> {
  /** Returns what an update changes: all of the state but the totals and the connection, and the display. */
  view(state: State): object;
  /** Returns how the views of two states differ. */
  viewChanges(before: State, after: State): Change[];
  /** Returns the numbers that each frame changes: the counts and the size of the queue. A step has their changes since the step before. */
  totals(state: State): object;
  totalsChanges(before: State, after: State): Change[];
  /** Returns how records other than updates changed a state; with `undefined` as the state before, the beginning. By default, this is the view. */
  actsChanges(before: State | undefined, after: State): Change[];
  /** Returns the last numbers of a session, for its golden. */
  end(state: State): object;
  /** Returns the whole state as plain data. */
  whole(state: State): object;
  /** Returns `sha256:…` over what a replay leads to. */
  hash(state: State, notifications: readonly Notification[]): string;
  /** Returns how two states differ, without times: sessions with the same frames at other times are the same. By default, this compares the views. */
  stateChanges(a: State, b: State): Change[];
  /** Returns how the rest differs at the ends of two sessions: the counts, the connection. */
  otherChanges(a: State, b: State): Change[];
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
  /** The index of the record that caused it, when records can cause several updates. */
  readonly record?: number;
}

/** What the tool reads of a state. */
export interface SessionState {
  readonly counts: {
    readonly received: number;
    readonly sent: number;
    readonly applied: number;
    readonly ignored: number;
    /** Messages that were dropped unsent; only Parley has them. */
    readonly dropped?: number;
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

/** A capture that is prepared for its replay. */
export interface PreparedCapture {
  /** What errors and warnings call it. */
  readonly name: string;
  readonly header: CaptureHeader;
  readonly records: readonly CaptureRecord[];
}

/** An app whose captures are replayed. */
export interface Replayed {
  readonly adapter: SessionAdapter;
  /** Returns the app as it replays one capture, for an app whose own code runs once for a capture. Its `adapter` must come from here. */
  prepare?(capture: PreparedCapture): Promise<Prepared>;
  /** The name in its goldens; the app of the command line's entry has none. */
  readonly app?: string | undefined;
}

/** An app that replays one capture only. */
export interface Prepared {
  readonly adapter: SessionAdapter;
  readonly warnings: readonly string[];
}

/** The app that is replayed without `--app`. The entries of the command line and of its workers pass it in. */
export interface OwnApp extends Replayed {
  /**
   * Loads another revision from its bundle.
   * @param revision the revision as the user wrote it, for errors.
   * @throws {UsageError} when a part that a replay needs is missing.
   */
  loadRevision(file: string, revision?: string): Promise<Replayed>;
}
