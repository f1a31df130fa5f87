import type { CaptureHeader } from '#shared/capture/format.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { Change } from '../../diff/valueDiff.ts';

/**
 * What the inspector's page asks its worker, and what it is answered. Everything here goes through the structured clone.
 *
 * A session is a row of numbered *steps*: each record of the capture, and each update at its tick. Step 0 is before the
 * first; the state at step n is what stands after n. A *branch* is the capture as recorded or, beside it, the
 * one of a what-if.
 */

/** What happened at a step. */
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

/** Which trace of events: as recorded, or with the edits of a what-if. */
export type Branch = 'recorded' | 'edited';

/** Where a capture comes from. `text` is its NDJSON. */
export type Source =
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly name: string;
      /** With which it is fetched. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'file'; readonly file: Blob; readonly name: string }
  | { readonly kind: 'text'; readonly text: string; readonly name: string };

/** A session as a whole. */
export interface SessionInfo {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly steps: number;
  readonly updates: number;
  readonly frames: { readonly received: number; readonly sent: number; readonly rejected: number };
  readonly messages: number;
  /** Milliseconds from the launch to the last step. */
  readonly duration: number;
  readonly warnings: readonly string[];
}

/** A step in a list. Times are milliseconds since the launch. */
export interface StepRow {
  readonly step: number;
  readonly kind: StepKind;
  readonly t: number;
  /** How long an update waited in the queue, at its tick. */
  readonly delay?: number;
  /** The number of the update (from 1), at its tick. */
  readonly update?: number;
  readonly updateKind?: Update['kind'];
  /** The number of the record (from 1) in the capture; an update has that of its frame. */
  readonly record: number;
  /** What the frame weighs, bytes. */
  readonly bytes?: number;
  /** Whether it changed the conversation or the connection. */
  readonly changed: boolean;
  /** In a few words, cut to 120 characters. */
  readonly summary: string;
}

/** Which steps a list shows; what is left out does not narrow it. */
export interface StepFilter {
  readonly text?: string;
  readonly kinds?: readonly StepKind[];
  readonly changedOnly?: boolean;
  /** A range of time, milliseconds. */
  readonly from?: number;
  readonly to?: number;
}

/**
 * What a timeline draws, in so many columns of equal time. Frames that were rejected count among the received, and
 * notifications among the applied.
 */
export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly received: Uint32Array;
  readonly sent: Uint32Array;
  readonly applied: Uint32Array;
  readonly rejected: Uint32Array;
  /** The longest that the queue was. */
  readonly queue: Uint32Array;
  readonly connection: readonly { readonly from: number; readonly to: number; readonly connected: boolean }[];
  /** Rejections and closes that were no sign-out, the first 1,000 of the range. */
  readonly errors: readonly { readonly t: number; readonly step: number; readonly words: string }[];
}

/** A frame or another record as it stands in the capture. */
export interface Wire {
  readonly direction: 'received' | 'sent' | 'none';
  /** The frame's text as it was on the wire, or the record's JSON. */
  readonly text: string;
  readonly bytes: number;
  readonly encoding: 'text' | 'base64';
  /** Why the app rejects the frame, if it does. */
  readonly rejection?: string;
}

/** The conversation as the window showed it: the newest messages, and how many stand before them. */
export interface ConversationView {
  readonly person: string | null;
  readonly total: number;
  /** The index of the first of `messages`. */
  readonly start: number;
  readonly messages: readonly Message[];
  /** Indexes of messages that the step changed, against `base`; within `messages`. */
  readonly changed: readonly number[];
}

/** Everything that the panes show of one step. */
export interface StepView {
  readonly branch: Branch;
  readonly step: number;
  readonly base: number;
  /** `undefined` at step 0. */
  readonly row: StepRow | undefined;
  readonly wire: Wire | undefined;
  /** From `base` to `step`, the first 500. */
  readonly diff: readonly Change[];
  /** How many there are in all; -1 when that was not counted. */
  readonly diffTotal: number;
  readonly conversation: ConversationView;
  /** How many updates wait for their tick after the step. */
  readonly waiting: number;
}

/** One entry of the state's tree; `path` in the form `messages[3].content[0].text`. */
export interface TreeNode {
  readonly path: string;
  readonly key: string;
  readonly type: 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null';
  /** How many children it has. */
  readonly size: number;
  /** A leaf's value, or a few words of what is inside; cut to 200 characters. */
  readonly preview: string;
}

/**
 * What a search looks for, or a play stops at: an expression where it becomes true, a field where it changes, a frame
 * where its text holds this one (`/…/` is a regular expression), an update that brings the message.
 */
export type Target =
  | { readonly kind: 'expression'; readonly expression: string }
  | { readonly kind: 'frame'; readonly text: string }
  | { readonly kind: 'change'; readonly path: string }
  | { readonly kind: 'update'; readonly number: number }
  | { readonly kind: 'time'; readonly t: number }
  | { readonly kind: 'message'; readonly id: string };

/** A change of the trace of events; `record` is that of the capture as it was recorded, from 1. */
export type Edit =
  | { readonly kind: 'skip'; readonly record: number }
  | { readonly kind: 'replace'; readonly record: number; readonly data: string }
  /** A received frame, just after the record (0: before all), at its time. */
  | { readonly kind: 'insert'; readonly record: number; readonly data: string };

/** What the edits came to. */
export interface EditedInfo {
  readonly info: SessionInfo;
  /** The first step of the edited branch after which the conversation is another. */
  readonly firstDifference: number | undefined;
  /** How the two end, the first 500. */
  readonly diff: readonly Change[];
}

/** Each request's name, what it takes and what it answers. `branch` is `recorded` unless it says otherwise. */
export interface Requests {
  load: { takes: { source: Source }; gives: SessionInfo };
  /** More lines of a session that is still on, each with its newline. */
  append: { takes: { text: string }; gives: SessionInfo };
  timeline: { takes: { branch?: Branch; from: number; to: number; columns: number }; gives: Timeline };
  /** Sets the list that `rows` and `rowOf` speak of. */
  filter: { takes: { branch?: Branch; filter: StepFilter }; gives: { count: number } };
  rows: { takes: { from: number; to: number }; gives: readonly StepRow[] };
  /** The index in the filtered list of the last entry at or before a step; -1 when there is none. */
  rowOf: { takes: { step: number }; gives: number };
  view: { takes: { branch?: Branch; step: number; base?: number; messages?: number }; gives: StepView };
  /** Earlier messages of the conversation at a step. */
  messages: { takes: { branch?: Branch; step: number; from: number; to: number }; gives: readonly Message[] };
  children: {
    takes: { branch?: Branch; step: number; path: string; from: number; to: number };
    gives: readonly TreeNode[];
  };
  /** The nearest step beyond `from` at which the target is met. @throws when an expression cannot be read. */
  find: {
    takes: { branch?: Branch; from: number; direction: 'forward' | 'backward'; target: Target; to?: number };
    gives: number | undefined;
  };
  /** The last step at or before a time. */
  stepAt: { takes: { branch?: Branch; t: number }; gives: number };
  /** The times of steps, for playing: the next `count` from `step` on. */
  times: { takes: { branch?: Branch; step: number; count: number }; gives: Float64Array };
  edit: { takes: { edits: readonly Edit[] }; gives: EditedInfo };
  /** The capture's NDJSON as it is now. */
  save: { takes: { branch?: Branch }; gives: Blob };
}

export type RequestName = keyof Requests;

/** Page to worker. */
export type Request = {
  [N in RequestName]: { readonly id: number; readonly name: N; readonly takes: Requests[N]['takes'] };
}[RequestName];

/** Worker to page. */
export type Reply =
  | { readonly id: number; readonly gives: unknown }
  | { readonly id: number; readonly error: string }
  /** A newer `filter`, `find` or `edit` came before this one was answered. */
  | { readonly id: number; readonly error: string; readonly superseded: true }
  /** While `load` is on: bytes read of so many (0 when that is not known). */
  | { readonly progress: { readonly read: number; readonly total: number } };
