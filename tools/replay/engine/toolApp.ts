import type { Step } from './createEngine.ts';
import type { Notification, OwnApp, SessionAdapter, SessionState } from './sessionAdapter.ts';

/** The app that is replayed without `--app`, with what commands show of it. */
export interface ToolApp extends OwnApp {
  readonly run: RunView;
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
