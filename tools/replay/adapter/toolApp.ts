import type { CaptureRecord, FrameRecord } from '#shared/capture/captureFormat.ts';
import type { Change } from '../diff/valueDiff.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import type { Step } from '../engine/createEngine.ts';
import type { Notification, OwnApp, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';

/** The app that is replayed without `--app`, with what commands show of it; by default what they show of every app. */
export interface ToolApp extends OwnApp {
  /** The app as the inspector shows it. */
  readonly inspected: InspectedApp;
  readonly run?: RunView;
  readonly stats?: StatsView;
  readonly devTools?: DevToolsLog;
  /** Whether the adapter in the working folder is used without `--app`. */
  readonly findsAdapter?: true;
}

/** What `export --to redux-devtools` contains of an app. */
export interface DevToolsLog<State extends SessionState = SessionState, Update = unknown> {
  /** Returns what is shown of a state. */
  stateOf(state: State): unknown;
  updateAction(step: Step<State, Update>): AppAction;
  /** Returns the action of a record that is shown. */
  recordAction(record: CaptureRecord): AppAction | undefined;
}

/** What `run` shows of an app beside the numbers. */
export interface RunView<State extends SessionState = SessionState, Update = unknown> {
  /** The values of `--with`, in the order of the document. */
  readonly parts: Readonly<Record<string, RunPart>>;
  /** The parts that the report advises when none is wanted. */
  readonly advised: string;
  /** Describes the content of an update on one line. */
  describe(step: Step<State, Update>): string;
  /** Returns in words what a session ends with. */
  ending?(done: FinishedRun<State>): string;
  /** Returns the hash of a replay's hash and its state. */
  stateHash?(hash: string, done: FinishedRun<State>): string;
}

/** A part of the result of `run`. */
interface RunPart<Value = unknown> {
  value(done: FinishedRun): Value;
  /** Formats the value for people, in pieces. */
  text(value: Value, name: string): Iterable<string>;
}

/** The end of a replay. */
export interface FinishedRun<State extends SessionState = SessionState> {
  readonly adapter: SessionAdapter;
  readonly replay: State;
  readonly notifications: readonly Notification[];
}

/** Counts by name. */
export type Tally = Record<string, number>;

/** What `stats` measures of an app beside its frames. What another app does not have is `null`. */
export interface StatsView<State extends SessionState = SessionState> {
  /** Returns how an update changed the conversation, or another app’s state. */
  changes(before: State, after: State): readonly Change[];
  messagesOf?(state: State): number;
  /** Returns the number of messages that were dropped unsent. */
  droppedOf?(state: State): number;
  /** Returns the category of a sent frame (spec §2.3); `other` when it is not one of the specification. */
  categoryOf?(frame: FrameRecord): string;
  /** Counts the acts by type; the windows that opened and closed, the most at the same time, and their own actions by type. */
  watchActs(): {
    take(record: CaptureRecord): void;
    counts(): { readonly acts: Tally; readonly windows: WindowCounts | null };
  };
}

interface WindowCounts {
  readonly opened: number;
  readonly closed: number;
  readonly mostOpen: number;
  readonly actions: Tally;
}
