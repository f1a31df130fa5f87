import type { InspectorModel } from '../model/inspectorModel.ts';
import type { TaskResult } from '../model/trace/task.ts';

/**
 * The protocol between the inspector's page and its worker. All values are transferred by structured clone.
 *
 * A session is a list of numbered *steps*: each record of the capture, and each update at its tick. Step 0 is the state before
 * the first one; the state at step n is the state after it. Times are milliseconds since the start of the recording.
 */

export { STEP_KINDS, type StepKind } from '../model/trace/stepKinds.ts';
export type { Branch } from '../model/inspectorModel.ts';
export type { Edit } from '../model/editTrace.ts';
export type { StepFilter } from '../model/search/filterSteps.ts';
export type { Target } from '../model/search/findStep.ts';
export type { AlignBy } from '../model/stepKeys.ts';
export type { EditGroup } from '../model/trace/steps.ts';
export type { AppView, ConversationView, WindowView } from '../model/trace/app.ts';

/** The source of a capture. `text` is the beginning of a live session; its broken lines are skipped, with a warning. */
export type Source = { readonly name: string } & (
  | { readonly kind: 'url'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'file'; readonly file: Blob }
  | { readonly kind: 'text'; readonly text: string }
);

/**
 * Where the page opens: at a step, at the step of an update, counted as by `run --until`, or at the last step whose shown time is at or before
 * a time.
 */
export type Start = { readonly step: number } | { readonly update: number } | { readonly t: number };

/** The requests: those that the model answers, and one for a new session. Invalid ones, and those for what does not exist, throw. */
type Requests = InspectorModel['quick'] & {
  [N in keyof InspectorModel['long']]: (
    params: Parameters<InspectorModel['long'][N]>[0],
  ) => TaskResult<ReturnType<InspectorModel['long'][N]>>;
} & { load(params: { source: Source }): SessionInfo };

/** The name of a request. */
export type RequestName = keyof Requests;

export type Params<N extends RequestName> = Parameters<Requests[N]>[0];
export type Result<N extends RequestName> = ReturnType<Requests[N]>;

export type SessionInfo = InspectorModel['info'];
export type StepView = Result<'view'>;
export type StepRow = Result<'rows'>[number];
export type Wire = NonNullable<StepView['wire']>;
export type TreeNode = Result<'children'>[number];
export type Timeline = Result<'timeline'>;
export type History = Result<'history'>;
export type HistoryEntry = History['entries'][number];
export type StepKeys = Result<'stepKeys'>;
export type EditedInfo = Result<'edit'>;

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
