import type { CaptureHeader } from '#shared/capture/captureFormat.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { NotificationText } from '#shared/conversation/applyUpdate.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { Change } from '../../diff/valueDiff.ts';

/**
 * The protocol between the inspector's page and its worker. All values are transferred by structured clone.
 *
 * A session is a list of numbered *steps*: each record of the capture, and each update at its tick. Step 0 is the state before
 * the first one; the state at step n is the state after it. Times are milliseconds since the start of the recording.
 */

/** What can happen at a step. */
export const STEP_KINDS = [
  'open',
  'close',
  'received',
  'rejected',
  'sent',
  'action',
  'applied',
  'ignored',
  'notification',
  'other',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Selects a trace: the recorded one, or the one with the edits of a what-if. */
export type Branch = 'recorded' | 'edited';

/** The source of a capture. `text` is the beginning of a live session; its broken lines are skipped, with a warning. */
export type Source = { readonly name: string } & (
  | { readonly kind: 'url'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'text'; readonly text: string }
);

/** Describes a whole session. */
export interface SessionInfo {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly steps: number;
  readonly updates: number;
  readonly frames: { readonly received: number; readonly sent: number; readonly rejected: number };
  /** The adapter of another app; omitted for Parley. `hasQueue`: updates wait in a queue of the app. */
  readonly app?: { readonly name: string; readonly hasQueue: boolean };
  /** The number of messages at the end; omitted for another app. */
  readonly messages?: number;
  /** The numbers of all windows of the session, ascending; none in a capture of version 1 and for another app. */
  readonly windows: readonly number[];
  /** Milliseconds from the launch to the last step. */
  readonly duration: number;
  readonly warnings: readonly string[];
}

/** A step in a list. */
export interface StepRow {
  readonly step: number;
  readonly kind: StepKind;
  readonly t: number;
  /** How long the update waited in the queue, and its number, from 1; set at its tick. */
  readonly delay?: number;
  readonly update?: number;
  readonly updateKind?: string;
  /** The number of the record in the capture, from 1; for an update that of its frame. */
  readonly record: number;
  /** The size of the frame. */
  readonly bytes?: number;
  /** Whether it changed the conversation, the connection, or what a window showed beside them. */
  readonly changed: boolean;
  /** A short description of at most 120 characters: what an update added, or the text of a notification. */
  readonly summary: string;
  /** The type of the action, with which its summary begins. */
  readonly actionType?: string;
  /** The number of the window in which the action happened. */
  readonly window?: number;
  /** The consecutive edits of one field for which the row stands, as the last of them, or of which it is one. */
  readonly edits?: EditGroup;
}

/** Consecutive edits of one field. */
export interface EditGroup {
  /** The step of the first edit. */
  readonly first: number;
  readonly count: number;
  /** Whether the list shows each edit. */
  readonly isOpen: boolean;
}

/** Selects the steps of a list; omitted fields do not filter. */
export interface StepFilter {
  readonly text?: string;
  readonly kinds?: readonly StepKind[];
  readonly changedOnly?: boolean;
  /** Shows consecutive edits of one field as one row, except those that begin at these steps. */
  readonly openEdits?: readonly number[];
  /** The last step that can be in the list: more can have been read than the page knows of. */
  readonly last?: number;
  /** A range of time. */
  readonly from?: number;
  readonly to?: number;
}

/** The data of a timeline, in columns of equal time. `received` includes rejected frames; `applied` includes notifications. */
export interface Timeline extends Readonly<
  Record<'received' | 'sent' | 'applied' | 'rejected' | 'queue', Uint32Array>
> {
  readonly from: number;
  readonly to: number;
  readonly connection: readonly { readonly from: number; readonly to: number; readonly connected: boolean }[];
  /** The errors of a few columns together, with the place and the text of the first: rejections, and closes without a sign-out. */
  readonly errors: readonly {
    readonly count: number;
    readonly t: number;
    readonly step: number;
    readonly text: string;
  }[];
}

/** A frame or another record as it is in the capture. */
export interface Wire {
  readonly direction: 'received' | 'sent' | 'none';
  /** The frame's text as it was on the wire, or the record's JSON. */
  readonly text: string;
  readonly bytes: number;
  readonly encoding: 'text' | 'base64';
  /** The reason for which the app rejects the frame. */
  readonly rejection?: string;
}

/** Consecutive messages of the conversation. */
export interface MessagesView {
  readonly messages: readonly Message[];
  /** When each of them arrived, in milliseconds since the launch; `null` when that is not known. */
  readonly arrivals: readonly (number | null)[];
}

/** The conversation as the window showed it: its newest messages and the total number. */
export interface ConversationView extends MessagesView {
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

/** Everything that the panes show of one step. */
export interface StepView {
  readonly branch: Branch;
  readonly step: number;
  readonly base: number;
  /** `undefined` at step 0. */
  readonly row: StepRow | undefined;
  readonly wire: Wire | undefined;
  /** The first 500 changes from `base` to `step`, and their total number; -1 when they were not all counted. */
  readonly diff: readonly Change[];
  readonly diffTotal: number;
  /** The `record` of an edit of this step; 0 at step 0. */
  readonly editable: number;
  /** Omitted for another app. */
  readonly parley?: ParleyView;
  /** Omitted for Parley. */
  readonly app?: AppView;
  /** The stack of the exception that the step caused in the code of another app. */
  readonly failure?: string | undefined;
  /** The number of updates that wait for their tick after the step. */
  readonly waiting: number;
}

/** An entry of the state tree; `path` has the form `messages[3].content[0].text`. */
export interface TreeNode {
  readonly path: string;
  readonly key: string;
  readonly type: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  /** The number of children. */
  readonly size: number;
  /** The value of a leaf, or a summary of the children; at most 200 characters. */
  readonly preview: string;
}

/**
 * The target of a search or of a break: an expression that becomes true, a field that changes, an update that contains the message, a frame or an action that
 * contains the text (`/…/` is a regular expression), an update with a number, or a time.
 */
export type Target =
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'change'; readonly path: string }
  | { readonly kind: 'message'; readonly id: string }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'update'; readonly number: number }
  | { readonly kind: 'time'; readonly t: number };

/**
 * An edit of the session. Each applies on top of the former ones. `record` is the number of a record in the recorded capture, from 1; or
 * minus the id of the edit that inserted a record. `data` is the text of a frame; of an action, JSON with its type, its payload and its window.
 * `insert` adds a received frame, or an action, directly after the record, at its time; 0: before all records.
 */
export type Edit = { readonly record: number } & (
  | { readonly kind: 'skip' }
  | { readonly kind: 'replace'; readonly data: string }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'insert'; readonly data: string; readonly id: number; readonly isAction?: boolean }
);

/** The result of the edits. */
export interface EditedInfo {
  readonly info: SessionInfo;
  /** The first step of the edited branch after which the conversation differs. */
  readonly firstDivergence: number | undefined;
  /** The first 500 differences between the final conversations. */
  readonly diff: readonly Change[];
}

/**
 * Where the page opens: at a step, at the step of an update, counted as by `run --until`, or at the last step whose shown time is at or before
 * a time.
 */
export type Start = { readonly step: number } | { readonly update: number } | { readonly t: number };

/** How the steps of two sessions are aligned: by record, when both are the same capture, or by content. */
export type AlignBy = 'record' | 'content';

/** The keys of steps; index 0 is not used. */
export interface StepKeys {
  /** Equal for the same record, or for records with the same content. */
  readonly exact: Uint32Array;
  /** Equal for steps of the same kind. */
  readonly kinds: Uint32Array;
}

/** Selects the recorded trace by default. */
interface InBranch {
  readonly branch?: Branch;
}

/** A step, and a path of the state after it. */
type AtPath = InBranch & { readonly step: number; readonly path: string };

/** A search after (or before) the step `from`. */
type Search = InBranch & { readonly from: number; readonly direction: 'forward' | 'backward' };

/** The requests. Invalid ones, and those for what does not exist, throw. */
export interface Requests {
  load(params: { source: Source }): SessionInfo;
  /** Appends lines of a live session, each with its newline. */
  append(params: { text: string }): SessionInfo;
  timeline(params: InBranch & { from: number; to: number; columns: number }): Timeline;
  /** Sets the list that `rows` and `rowOf` use. Returns the number of its rows and of the steps that they stand for. */
  filter(params: InBranch & { filter: StepFilter }): { count: number; steps: number };
  rows(params: { from: number; to: number }): readonly StepRow[];
  /** Returns the index in the filtered list of the last entry at or before a step; -1 when there is none. */
  rowOf(params: { step: number }): number;
  view(params: Viewed): StepView;
  /** Returns earlier messages of the conversation at a step. */
  messages(params: InBranch & { step: number; from: number; to: number }): MessagesView;
  children(params: AtPath & { from: number; to: number }): readonly TreeNode[];
  /** Returns the value at a path of the state as JSON, unless it is too long. */
  json(params: AtPath): string;
  /** Finds the places of the state whose key or value contains a text; the first 1000. `isCut`: there may be more. */
  searchState(params: InBranch & { step: number; text: string }): {
    readonly paths: readonly string[];
    readonly isCut: boolean;
  };
  /** Finds the nearest matching step. */
  find(params: Search & { target: Target; to?: number | undefined }): number | undefined;
  /** Finds the nearest step that matches a target, and the index of that target. */
  findBreak(
    params: Search & { targets: readonly Target[] },
  ): { readonly step: number; readonly target: number } | undefined;
  /** Returns the last step at or before a time. */
  stepAt(params: InBranch & { t: number }): number;
  /** Returns the step of the nearest error. */
  nextError(params: Search): number | undefined;
  /** Returns the times of `count` steps, starting with `step`, for playing. */
  times(params: InBranch & { step: number; count: number }): Float64Array;
  /** Returns keys by which the steps are aligned with those of another session. */
  stepKeys(params: { by: AlignBy }): StepKeys;
  /** Returns a hash of what each step changed, from `from` up to `to` (exclusive); 0 for nothing. */
  deltas(params: { from: number; to: number; by: AlignBy }): Uint32Array;
  edit(params: { edits: readonly Edit[] }): EditedInfo;
  /** Returns the NDJSON of the branch. */
  save(params: InBranch): Blob;
}

interface Viewed extends InBranch {
  readonly step: number;
  /** The step with which it is compared; by default the one before. */
  readonly base?: number;
  /** The number of newest messages; 60 by default. */
  readonly messages?: number;
  /** The number of the chosen window. */
  readonly window?: number;
  /** Whether the window of the step's action is shown rather than the chosen one; always without a chosen one. */
  readonly isActPreferred?: boolean;
}

/** The name of a request. */
export type RequestName = keyof Requests;

export type Params<N extends RequestName> = Parameters<Requests[N]>[0];
export type Result<N extends RequestName> = ReturnType<Requests[N]>;

/** A message from the page to the worker. */
export type Request = {
  [N in RequestName]: { readonly id: number; readonly name: N; readonly params: Params<N> };
}[RequestName];

/** A message from the worker to the page. `superseded`: by a newer long request of the same name. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string; readonly superseded?: true }
  | { readonly progress: LoadProgress }
  /** The worker computes a part of this search now; `undefined`: it has computed the part. */
  | { readonly searching: number | undefined };

/** The progress of `load`, in bytes. */
export interface LoadProgress {
  readonly read: number;
  /** 0 when the size is not known. */
  readonly total: number;
  /** The part of the session that has been read, when the page should show it: it has become a page's worth, or twice as long. */
  readonly info?: SessionInfo;
}
