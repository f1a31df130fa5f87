import type {
  Branch,
  Edit,
  EditedInfo,
  LoadProgress,
  SessionInfo,
  StepFilter,
  StepKind,
  StepView,
  Target,
  Timeline,
} from '../../protocol/protocol.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { Shown } from './shownConversation.ts';

/** A range of time, in milliseconds since the start of the recording. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A range that limits every pane. */
export interface SelectedRange extends Range {
  /** The last step before it. */
  readonly base: number;
  /** Its last step. */
  readonly last: number;
}

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
export interface Search {
  readonly kind: Target['kind'];
  readonly text: string;
}

/** A search at whose matches playing stops while it is on. */
export interface Breakpoint {
  readonly search: Search;
  readonly isOn: boolean;
}

/** The direction of playing, or of a search. */
export type Direction = 'forward' | 'backward';

/** A notice of one line. */
interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

/** The filter of the step list as the person entered it. */
export interface ListFilter {
  readonly text: string;
  /** Empty: all kinds. */
  readonly kinds: readonly StepKind[];
  readonly changedOnly: boolean;
}

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

/** The filtered list; `version` changes when its rows change. */
export interface StepList {
  /** The number of its rows, and of the steps that they stand for. */
  readonly count: number;
  readonly steps: number;
  readonly version: number;
  /** The index in the list of the last entry at or before the selected step; -1: none. */
  readonly index: number;
}

/** The complete state of the page. */
export interface InspectorState {
  readonly phase: Phase;
  /** The recorded session. */
  readonly info: SessionInfo | undefined;
  readonly branch: Branch;
  /** The selected step; `view` follows when the worker has answered. */
  readonly step: number;
  readonly view: StepView | undefined;
  readonly shown: Shown | undefined;
  /** What the window showed: the state of its store. */
  readonly picture: ShownState | undefined;
  /** The chosen window, and the step at which it was chosen; `undefined`: the first open one. */
  readonly window: { readonly number: number; readonly step: number } | undefined;
  readonly compare: Compare;
  /** Whether the changes include the counts. */
  readonly showsCounts: boolean;
  readonly pinned: number | undefined;
  /** The dragged range. */
  readonly range: SelectedRange | undefined;
  /** The range that the timeline shows. */
  readonly zoom: Range;
  readonly timeline: Timeline | undefined;
  readonly filter: ListFilter;
  readonly list: StepList;
  /** The first steps of the edits that the list shows one by one. */
  readonly openEdits: readonly number[];
  readonly search: Search;
  /** Why the search cannot be used. */
  readonly searchError: string | undefined;
  readonly breakpoints: readonly Breakpoint[];
  /** The direction of playing; `undefined` while it is paused. */
  readonly playing: Direction | undefined;
  readonly speed: number;
  readonly capsIdle: boolean;
  readonly isLive: boolean;
  readonly follows: boolean;
  readonly edits: readonly Edit[];
  readonly edited: EditedInfo | undefined;
  /** What is in the editor, which is on the tab *What if*. */
  readonly draft: Draft | undefined;
  readonly frameTab: 'wire' | 'what-if';
  readonly theme: Theme;
  /** The result of what the person did; it disappears when it no longer applies. */
  readonly notice: Notice | undefined;
  /** A warning about the session; it stays until another session is opened. */
  readonly warning: Notice | undefined;
}

/** The state of a page without a session. */
export const initialState: InspectorState = {
  phase: { kind: 'empty' },
  info: undefined,
  branch: 'recorded',
  step: 0,
  view: undefined,
  shown: undefined,
  picture: undefined,
  window: undefined,
  compare: 'previous',
  showsCounts: false,
  pinned: undefined,
  range: undefined,
  zoom: { from: 0, to: 0 },
  timeline: undefined,
  filter: { text: '', kinds: [], changedOnly: false },
  list: { count: 0, steps: 0, version: 0, index: -1 },
  openEdits: [],
  search: { kind: 'expression', text: '' },
  searchError: undefined,
  breakpoints: [],
  playing: undefined,
  speed: 1,
  capsIdle: false,
  isLive: false,
  follows: false,
  edits: [],
  edited: undefined,
  draft: undefined,
  frameTab: 'wire',
  theme: 'system',
  notice: undefined,
  warning: undefined,
};

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
  const { filter, range } = state;
  return {
    ...(filter.text === '' ? {} : { text: filter.text }),
    ...(filter.kinds.length === 0 ? {} : { kinds: filter.kinds }),
    changedOnly: filter.changedOnly,
    last: shownSteps(state),
    ...(range === undefined ? {} : { from: range.from, to: range.to }),
  };
}
