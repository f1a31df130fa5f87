import type {
  Branch,
  Edit,
  EditedInfo,
  SessionInfo,
  StepFilter,
  StepKind,
  StepView,
  Target,
  Timeline,
} from '../../protocol/protocol.ts';
import type { Shown } from './shownConversation.ts';

/** A stretch of time, milliseconds since the launch. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * How far the page is:
 *
 *   empty ─capture─▶ loading ─▶ ready
 *                    loading ─▶ failed ─capture─▶ loading
 *   ready ─capture─▶ loading
 */
export type Phase =
  | { readonly kind: 'empty' }
  | { readonly kind: 'loading'; readonly name: string; readonly read: number; readonly total: number }
  | { readonly kind: 'failed'; readonly name: string; readonly words: string }
  | { readonly kind: 'ready' };

/** What a step is held against: the one before it, the beginning of the dragged range, or one that was pinned. */
export type Compare = 'previous' | 'range' | 'pinned';

export type Theme = 'system' | 'light' | 'dark';

/** What a person looks for, as it was entered. */
export interface Search {
  readonly kind: Target['kind'];
  readonly text: string;
}

/** What the person is told in a line, until the next. */
export interface Notice {
  readonly words: string;
  readonly isError: boolean;
}

/** The filter of the step list, as it was entered. */
export interface ListFilter {
  readonly text: string;
  /** Empty: every kind. */
  readonly kinds: readonly StepKind[];
  readonly changedOnly: boolean;
}

/** The filtered list: `version` is another whenever its rows are. */
export interface StepList {
  readonly count: number;
  readonly version: number;
  /** The index in it of the selected step, or of the last before it; -1: none. */
  readonly index: number;
}

/** Everything that the page shows comes from here. */
export interface InspectorState {
  readonly phase: Phase;
  /** The session as recorded. */
  readonly info: SessionInfo | undefined;
  readonly branch: Branch;
  /** The step that is selected; `view` follows as soon as it is there. */
  readonly step: number;
  readonly view: StepView | undefined;
  readonly shown: Shown | undefined;
  readonly compare: Compare;
  readonly pinned: number | undefined;
  /** The dragged range, and the last step before it. */
  readonly range: (Range & { readonly base: number }) | undefined;
  /** What of the session the timeline shows. */
  readonly zoom: Range;
  readonly timeline: Timeline | undefined;
  readonly filter: ListFilter;
  readonly list: StepList;
  readonly search: Search;
  readonly breaks: boolean;
  readonly playing: boolean;
  readonly speed: number;
  readonly capsIdle: boolean;
  readonly isLive: boolean;
  readonly follows: boolean;
  readonly edits: readonly Edit[];
  readonly edited: EditedInfo | undefined;
  readonly theme: Theme;
  readonly notice: Notice | undefined;
}

export const initialState: InspectorState = {
  phase: { kind: 'empty' },
  info: undefined,
  branch: 'recorded',
  step: 0,
  view: undefined,
  shown: undefined,
  compare: 'previous',
  pinned: undefined,
  range: undefined,
  zoom: { from: 0, to: 0 },
  timeline: undefined,
  filter: { text: '', kinds: [], changedOnly: false },
  list: { count: 0, version: 0, index: -1 },
  search: { kind: 'expression', text: '' },
  breaks: false,
  playing: false,
  speed: 1,
  capsIdle: false,
  isLive: false,
  follows: false,
  edits: [],
  edited: undefined,
  theme: 'system',
  notice: undefined,
};

/** The session of the branch that is shown. */
export const shownInfo = ({ branch, info, edited }: InspectorState): SessionInfo | undefined =>
  branch === 'edited' ? edited?.info : info;

/** How many steps it has; none before it is loaded. */
export const shownSteps = (state: InspectorState): number => shownInfo(state)?.steps ?? 0;

/** The step that the shown one is held against; `undefined` is the one before it. */
export function baseOf({ compare, pinned, range }: InspectorState): number | undefined {
  if (compare === 'pinned') return pinned;
  return compare === 'range' ? range?.base : undefined;
}

/** The list's filter as the worker takes it, the range included. */
export const filterOf = ({ filter, range }: InspectorState): StepFilter => ({
  ...(filter.text === '' ? {} : { text: filter.text }),
  ...(filter.kinds.length === 0 ? {} : { kinds: filter.kinds }),
  changedOnly: filter.changedOnly,
  ...(range === undefined ? {} : { from: range.from, to: range.to }),
});
