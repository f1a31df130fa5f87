import type {
  AlignBy,
  Branch,
  Edit,
  EditedInfo,
  MessagesView,
  SessionInfo,
  Source,
  StepFilter,
  StepKeys,
  StepRow,
  StepView,
  Target,
  Timeline,
  TreeNode,
} from './protocol.ts';

/** The requests by name, with their parameters and results. `branch` defaults to `recorded`. */
export interface Requests {
  load: { params: { source: Source }; result: SessionInfo };
  /** Appends lines of a live session, each with its newline. */
  append: { params: { text: string }; result: SessionInfo };
  timeline: { params: { branch?: Branch; from: number; to: number; columns: number }; result: Timeline };
  /** Sets the list that `rows` and `rowOf` use. */
  filter: { params: { branch?: Branch; filter: StepFilter }; result: { count: number } };
  rows: { params: { from: number; to: number }; result: readonly StepRow[] };
  /** Returns the index in the filtered list of the last entry at or before a step; -1 when there is none. */
  rowOf: { params: { step: number }; result: number };
  view: {
    params: { branch?: Branch; step: number; base?: number; messages?: number; window?: number };
    result: StepView;
  };
  /** Returns earlier messages of the conversation at a step. */
  messages: {
    params: { branch?: Branch; step: number; from: number; to: number };
    result: MessagesView;
  };
  children: {
    params: { branch?: Branch; step: number; path: string; from: number; to: number };
    result: readonly TreeNode[];
  };
  /** Returns the value at a path of the state as JSON. @throws when there is none, or it is too long. */
  json: { params: { branch?: Branch; step: number; path: string }; result: string };
  /** Finds the places of the state whose key or value contains a text; the first 1000. */
  searchState: {
    params: { branch?: Branch; step: number; text: string };
    result: { readonly paths: readonly string[]; readonly isCut: boolean };
  };
  /** Finds the nearest matching step after (or before) `from`. @throws when the target is not valid. */
  find: {
    params: { branch?: Branch; from: number; direction: 'forward' | 'backward'; target: Target; to?: number };
    result: number | undefined;
  };
  /** Finds the nearest step after (or before) `from` that matches a target, and the index of that target. @throws as `find` does. */
  findBreak: {
    params: {
      branch?: Branch;
      from: number;
      direction: 'forward' | 'backward';
      targets: readonly Target[];
    };
    result: { readonly step: number; readonly target: number } | undefined;
  };
  /** Returns the last step at or before a time. */
  stepAt: { params: { branch?: Branch; t: number }; result: number };
  /** Returns the step of the nearest error after (or before) `from`. */
  nextError: {
    params: { branch?: Branch; from: number; direction: 'forward' | 'backward' };
    result: number | undefined;
  };
  /** Returns the times of `count` steps, starting with `step`, for playing. */
  times: { params: { branch?: Branch; step: number; count: number }; result: Float64Array };
  /** Returns keys by which the steps are aligned with those of another session. */
  stepKeys: { params: { by: AlignBy }; result: StepKeys };
  /** Returns a hash of what each step changed, from `from` up to `to` (exclusive); 0 for nothing. */
  deltas: { params: { from: number; to: number; by: AlignBy }; result: Uint32Array };
  edit: { params: { edits: readonly Edit[] }; result: EditedInfo };
  /** Returns the NDJSON of the branch. */
  save: { params: { branch?: Branch }; result: Blob };
}

/** The name of a request. */
export type RequestName = keyof Requests;

/** A message from the page to the worker. */
export type Request = {
  [N in RequestName]: { readonly id: number; readonly name: N; readonly params: Requests[N]['params'] };
}[RequestName];

/** A message from the worker to the page. */
export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string }
  /** A newer long request of the same name superseded this one. */
  | { readonly id: number; readonly error: string; readonly superseded: true }
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
