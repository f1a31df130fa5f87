import type { CloseRecord, FrameRecord } from '#shared/capture/captureFormat.ts';
import type { NotificationText } from '#shared/conversation/applyUpdate.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import type { PreparedCapture, SessionAdapter, SessionState } from '../../../engine/sessionAdapter.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { ShownState } from '#shared/store/windowState.ts';

/** An app as the inspector shows it: its session, and what a person sees of a state. All functions except `takeFailure` are pure. */
export interface InspectedApp<
  State extends SessionState = SessionState,
  Update = unknown,
  Action = unknown,
> extends SessionAdapter<State, Update, Action> {
  /** The names of the values of a state, in the order of the state's tree. Paths and expressions begin with them. */
  readonly names: readonly string[];
  /** Returns the value with a name. Long lists are {@link LongList}s. */
  value(name: string, state: State): unknown;
  /** Returns the part of the state on which the value with a name depends: with the same reference, the value is the same. It is called for each step. */
  part(name: string, state: State): unknown;
  /**
   * The lists that keep their items until they are replaced: they never get shorter, and no item is put back. So an item that is the same object at two
   * times has not been another one in between.
   */
  readonly keptLists?: ReadonlySet<string>;
  /** Returns the changes of the values. It may stop after the first `limit` changes. */
  changes(before: State, after: State, limit: number): readonly Change[];
  /** Returns the changes of that part of the state which updates write. It may stop after the first `limit` changes. A what-if compares it. */
  contentChanges(before: State, after: State, limit: number): readonly Change[];
  /** Returns whether a step changed what a person sees. `update` is the update of the step. */
  isChanged(before: State, after: State, update?: Update): boolean;
  /** Returns the parts of the session's description that only this app has. */
  describe(end: State): AppInfo;
  /** Returns what the app showed after a step. */
  picture(moment: Moment<State>): { readonly parley?: ParleyView; readonly app?: AppView };
  /** Describes a frame in about `length` characters. @param update the update of a received frame. */
  describeFrame(frame: FrameRecord, length: number, update?: Update): string;
  /** Says why a frame is rejected; by default the reason itself. */
  describeReason?(reason: string): string;
  /** Describes what an applied update showed or added, when that does not follow from its frame alone. */
  describeEffect?(update: Update, before: () => State, after: () => State): string | undefined;
  /** Describes the update with a number, when it does not follow from a frame alone; the first is 1. */
  describeRelease?(number: number): string;
  /** Returns whether a close of the connection is no error. */
  isExpectedClose(close: CloseRecord): boolean;
  /** Returns the open windows, and whether a recording runs. The trace keeps them for the whole session. */
  mark?(state: State): Pick<Mark, 'windows' | 'isRecording'>;
  /** Returns the ids of the messages that an update contains. */
  messageIds?(update: Update): readonly (string | undefined)[];
  /** Problems of the replay that do not prevent it. */
  readonly warnings?: readonly string[];
  /** Why a session of this app cannot be edited. */
  readonly editProblem?: string;
  /** What descriptions call the code of the app; `the adapter` by default. */
  readonly codeName?: string;
  /** Returns the stack of the last exception of the app's code, once. */
  takeFailure?(): string | undefined;
}

/** Returns the app that shows one capture, for an app whose own code runs once for a capture. */
export type AppOfCapture = (capture: Pick<PreparedCapture, 'header' | 'records'>) => Promise<InspectedApp>;

/** The parts of a session's description that only one app has. */
interface AppInfo {
  /** The adapter of another app; omitted for Parley. `hasQueue`: updates wait in a queue of the app. */
  readonly app?: { readonly name: string; readonly hasQueue: boolean };
  /** The number of messages at the end; omitted for another app. */
  readonly messages?: number;
}

/** The conversation as the window showed it: its newest messages and the total number. */
export interface ConversationView {
  readonly messages: readonly Message[];
  /** When each of them arrived, in milliseconds since the launch; `null` when that is not known. */
  readonly arrivals: readonly (number | null)[];
  readonly person: string | null;
  readonly total: number;
  /** The index of the first of `messages`. */
  readonly start: number;
  /** The indexes in `messages` of those that differ from `base`. */
  readonly changed: readonly number[];
}

/** What a window showed beside the conversation. */
export interface WindowView {
  /** Its number; `null` while no window was open: then the rest is what one would show. */
  readonly number: number | null;
  readonly isVisible: boolean;
  readonly isMinimized: boolean;
  /** How long the running recording has lasted, in milliseconds; 0 when none runs. */
  readonly recordedMs: number;
  readonly state: Omit<ShownState, 'arrivals' | 'conversation'>;
}

/** What Parley showed after a step. */
export interface ParleyView {
  readonly conversation: ConversationView;
  readonly window: WindowView;
  /** The desktop notification that the step showed. */
  readonly notification: NotificationText | undefined;
}

/** What another app showed after a step. */
export interface AppView {
  readonly state: unknown;
  /** The result of the adapter's `display`; omitted when it has none. */
  readonly display?: unknown;
  /** Why the state or the display cannot be shown, usually the stack of an exception. */
  readonly failure?: string;
}

/** A change of what {@link InspectedApp.mark} returns. */
export interface Mark {
  readonly step: number;
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  /** The numbers of the open windows. */
  readonly windows: readonly number[];
  readonly isRecording: boolean;
}

/** A step, as a picture needs it. */
export interface Moment<State> {
  /** The state before the step, or that with which it is compared. */
  readonly before: State;
  readonly after: State;
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  /** The time of day at the start of the recording. */
  readonly startedAt: string;
  /** Whether the session had been launched. */
  readonly isLaunched: boolean;
  /** Whether the step showed a desktop notification. */
  readonly isNotification: boolean;
  /** The marks up to the step. */
  readonly marks: readonly Mark[];
  /** The number of newest messages to show; fewer when they fill the room of `room` messages of one line. */
  readonly messages: number;
  readonly room: number;
  /** The number of the chosen window. */
  readonly window: number | undefined;
}

/** Says why an app rejects a received frame, and at which field; `undefined` when it does not. */
export function rejectionOf(app: InspectedApp, frame: FrameRecord): string | undefined {
  const { rejected } = app.take(frame, app.initialState, 0);
  if (rejected === undefined) return undefined;
  const { reason, where } = rejected;
  return `${app.describeReason?.(reason) ?? reason}${where === undefined ? '' : ` at ${where}`}`;
}

/** Returns the update of a received frame. */
export const updateOf = (app: InspectedApp, frame: FrameRecord): unknown =>
  app.take(frame, app.initialState, 0).update;

/** The error for a session that cannot be shown or a request that cannot be answered; `message` is one line for the person. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}
