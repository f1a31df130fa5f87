import type {
  Branch,
  Edit,
  EditedInfo,
  LoadProgress,
  SessionInfo,
  StepFilter,
  StepView,
  Target,
  Timeline,
} from '../../protocol/protocol.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { Shown } from './shownConversation.ts';

/** A range of time, in milliseconds since the start of the recording. */
export type Range = Readonly<{ from: number; to: number }>;

/**
 * The phase of the page:
 *
 *   empty ─capture─▶ loading ─first part of a long capture─▶ ready, with a rest ─▶ ready
 *                    loading ─▶ ready
 *                    loading ─▶ failed ─capture─▶ loading
 *   ready ─capture─▶ loading
 */
export type Phase =
  | { readonly kind: 'empty' }
  | ({ readonly kind: 'loading'; readonly name: string } & Omit<LoadProgress, 'info'>)
  | { readonly kind: 'failed'; readonly name: string; readonly text: string }
  /** `rest`: how much of the capture has been read, until all of it has been. */
  | { readonly kind: 'ready'; readonly rest?: Omit<LoadProgress, 'info'> };

/** What a step is compared with: the previous step, the start of the dragged range, or a pinned step. */
export type Compare = 'previous' | 'range' | 'pinned';

/** The appearance; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** The search as the person entered it. */
export type Search = Readonly<{ kind: Target['kind']; text: string }>;

/** A search at whose matches playing stops while it is on. */
export type Breakpoint = Readonly<{ search: Search; isOn: boolean }>;

/** The direction of playing, or of a search. */
export type Direction = 'forward' | 'backward';

/** A notice of one line. */
type Notice = Readonly<{ text: string; isError: boolean }>;

/** What the editor shows: a frame or an action that replaces another one or is inserted after it, or a close. `record` is that of the edit. */
export type Draft =
  | {
      readonly kind: 'replace' | 'insert';
      readonly record: number;
      readonly text: string;
      readonly isAction: boolean;
      /** The initial text of an action in place of the frame. */
      readonly action?: string;
    }
  | { readonly kind: 'close'; readonly record: number; readonly code: number; readonly reason: string };

/** The fields of the state, with their values in a page without a session. */
class Fields {
  phase: Phase = { kind: 'empty' };
  /** The recorded session. */
  info: SessionInfo | undefined;
  branch: Branch = 'recorded';
  /** The selected step; `view` follows when the worker has answered. */
  step = 0;
  view: StepView | undefined;
  shown: Shown | undefined;
  /** The number of messages that are shown; `undefined`: as many as fill the page. */
  messages: number | undefined;
  /** What the window showed: the state of its store. */
  picture: ShownState | undefined;
  /** The chosen window, and the step at which it was chosen; `undefined`: the first open one. */
  window: { readonly number: number; readonly step: number } | undefined;
  compare: Compare = 'previous';
  /** Whether the changes include the counts. */
  showsCounts = false;
  pinned: number | undefined;
  /** The dragged range, which limits every pane; the last step before it, and its last step. */
  range: (Range & { readonly base: number; readonly last: number }) | undefined;
  /** The range that the timeline shows. */
  zoom: Range = { from: 0, to: 0 };
  timeline: Timeline | undefined;
  /** The filter of the list as the person entered it; no kinds: all. */
  filter: Readonly<Required<Pick<StepFilter, 'text' | 'kinds' | 'changedOnly'>>> = {
    text: '',
    kinds: [],
    changedOnly: false,
  };
  /**
   * The filtered list: the number of its rows, and of the steps that they stand for. `version` changes when its rows change. `index` is that of the
   * last entry at or before the selected step; -1: none.
   */
  list = { count: 0, steps: 0, version: 0, index: -1 };
  /** The first steps of the edits that the list shows one by one. */
  openEdits: readonly number[] = [];
  search: Search = { kind: 'expression', text: '' };
  /** Why the search cannot be used. */
  searchError: string | undefined;
  breakpoints: readonly Breakpoint[] = [];
  /** The direction of playing; `undefined` while it is paused. */
  playing: Direction | undefined;
  speed = 1;
  capsIdle = false;
  isLive = false;
  /** Whether it is the capture that the server of the page has. */
  isServed = false;
  follows = false;
  edits: readonly Edit[] = [];
  edited: EditedInfo | undefined;
  /** What is in the editor, which is on the tab *What if*. */
  draft: Draft | undefined;
  frameTab: 'wire' | 'history' | 'what-if' = 'wire';
  /** The path of the value whose history is shown, on the tab *History*. */
  historyPath: string | undefined;
  theme: Theme = 'system';
  /** The result of what the person did; it disappears when it no longer applies. */
  notice: Notice | undefined;
  /** A warning about the session; it stays until another session is opened. */
  warning: Notice | undefined;
}

/** The complete state of the page. */
export type InspectorState = Readonly<Fields>;

/** The state of a page without a session. */
export const initialState: InspectorState = new Fields();

/** Returns the session of the shown branch. */
export const shownInfo = ({ branch, info, edited }: InspectorState): SessionInfo | undefined =>
  branch === 'edited' ? edited?.info : info;

/** Returns whether the session is one of Parley, or none is shown. */
export const isParley = (state: InspectorState): boolean => shownInfo(state)?.app === undefined;

/** Returns the number of steps of the shown branch; 0 before it is loaded. */
export const shownSteps = (state: InspectorState): number => shownInfo(state)?.steps ?? 0;

/** Returns the first and the last step of the selected range; without one, of the session. A range without a step contains the one before it. */
export function stepBounds(state: InspectorState): { readonly first: number; readonly last: number } {
  const { range } = state;
  if (range === undefined) return { first: 0, last: shownSteps(state) };
  return { first: Math.min(range.base + 1, range.last), last: range.last };
}

/** Returns the step with which the shown one is compared; `undefined`: the previous step. */
export function comparisonStep({ compare, pinned, range }: InspectorState): number | undefined {
  if (compare === 'pinned') return pinned;
  return compare === 'range' ? range?.base : undefined;
}

/** Returns the filter of the list for the worker, including the range. */
export function activeFilter(state: InspectorState): StepFilter {
  const { text, kinds, changedOnly } = state.filter;
  const { from, to } = state.range ?? { from: 0, to: Infinity };
  return { text, changedOnly, last: shownSteps(state), from, to, ...(kinds.length > 0 && { kinds }) };
}
