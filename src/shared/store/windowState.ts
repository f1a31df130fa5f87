import { type Reducer, combineReducers, createReducer, isAnyOf } from '@reduxjs/toolkit';
import {
  stateReported,
  viewChanged,
  assistantShown,
  charactersShown,
  expansionChanged,
  fileDropEntered,
  fileDropLeft,
  leftBottom,
  pageResized,
  placeLeft,
  placeReturned,
  reachedBottom,
  scrollRested,
  signInFormAnswered,
  signInFormChecked,
  signInFormCleared,
  signInFormEdited,
  signInFormSubmitted,
  soundProgressChanged,
  startFailureChanged,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
  textBoxSent,
} from '../actions/windowActions.ts';
import {
  type WindowState,
  type Expansion,
  type PageSize,
  type PlaceState,
  type ScrollPlace,
  type ScrollState,
  type SignInFormState,
  type SoundProgressState,
  type StartFailureState,
  type View,
  MOST_EXPANDED,
} from '../actions/windowSchemas.ts';
import { isOfType, NO_ACTION } from '../isOfType.ts';
import {
  alertsReducer,
  notesReducer,
  dialogReducer,
  menuReducer,
  viewerReducer,
  findReducer,
  viewerZoomReducer,
  messageMenuReducer,
} from './overlayState.ts';
import type { SharedState } from './rootReducer.ts';

const splash = 'splash' as View;

/** Reduces the view. */
export const viewReducer = createReducer(splash, (builder) =>
  builder.addCase(viewChanged, (_, { payload }) => payload.view),
);

const emptyForm: SignInFormState = {
  email: '',
  name: '',
  showsCharacters: false,
  error: null,
  isBusy: false,
  cleared: 0,
};

/** Reduces the sign in form. */
export const signInFormReducer = createReducer(emptyForm, (builder) =>
  builder
    .addCase(signInFormEdited, (form, { payload }) => ({ ...form, ...payload }))
    .addCase(charactersShown, (form, { payload }) => ({ ...form, showsCharacters: payload.isShown }))
    .addCase(signInFormSubmitted, (form) => ({ ...form, error: null, isBusy: true }))
    .addCase(signInFormCleared, ({ cleared }) => ({ ...emptyForm, cleared: cleared + 1 }))
    .addMatcher(isAnyOf(signInFormChecked, signInFormAnswered), (form, { payload: { error } }) => ({
      ...form,
      error,
      isBusy: false,
    })),
);

/**
 * The text of the text box; `null` while it is closed (spec §4.4.1):
 *
 *     closed ── opened ──▶ open ── edited, refused ──▶ open
 *       ▲                   │
 *       └── closed, sent ───┘
 *
 * The text is dropped when the box closes, and when the window shows no conversation.
 */
type TextBoxState = string | null;

const boxIsClosed = null as TextBoxState;

/** Reduces the text box. */
export const textBoxReducer = createReducer(boxIsClosed, (builder) =>
  builder
    .addCase(textBoxOpened, (_, { payload }) => payload.text)
    .addCase(textBoxEdited, (_, { payload }) => payload.text)
    .addCase(textBoxClosed, () => boxIsClosed)
    .addCase(textBoxSent, () => boxIsClosed)
    .addCase(startFailureChanged, (text, { payload }) => (payload.failure === null ? text : boxIsClosed)),
);

/** Whether files are dragged over the conversation, which then shows where to drop them. */
type FileDropState = boolean;

const noDrop = false as FileDropState;

/** Reduces the file drop. */
export const fileDropReducer = createReducer(noDrop, (builder) =>
  builder
    .addCase(fileDropEntered, () => true)
    .addCase(fileDropLeft, () => false)
    .addCase(startFailureChanged, () => false),
);

const atBottom: ScrollState = { isAtBottom: true };

/** Reduces the scroll. */
export const scrollReducer = createReducer(atBottom, (builder) =>
  builder
    // The person who stays is scrolled back, and leaves the bottom once more by that.
    .addCase(leftBottom, (scroll, { payload }): ScrollState =>
      scroll.stays === true ? scroll : { isAtBottom: false, ...payload },
    )
    .addCase(reachedBottom, (_, { payload }): ScrollState => ({ ...atBottom, ...payload }))
    .addCase(startFailureChanged, () => atBottom),
);

const NO_PLACE: PlaceState = { leftAt: null, divider: null };

/** Reduces the place. */
export const placeReducer = createReducer(NO_PLACE, (builder) =>
  builder
    .addCase(placeLeft, (place, { payload: { messages, isAway } }): PlaceState =>
      place.leftAt === null ? { leftAt: messages, divider: isAway ? null : place.divider } : place,
    )
    .addCase(placeReturned, ({ leftAt, divider }, { payload: { messages } }): PlaceState => ({
      leftAt: null,
      divider: leftAt !== null && messages > leftAt ? leftAt : divider,
    }))
    .addCase(startFailureChanged, () => NO_PLACE),
);

const noFailure = null as StartFailureState;

/** Reduces the start failure. */
export const startFailureReducer = createReducer(noFailure, (builder) =>
  builder.addCase(startFailureChanged, (_, { payload }) => payload.failure),
);

const noProgress = null as SoundProgressState;

/** Reduces the sound progress. */
export const soundProgressReducer = createReducer(noProgress, (builder) =>
  builder.addCase(soundProgressChanged, (_, { payload }) => payload),
);

/** The size of the window's page; `null` before it has loaded. */
type PageState = PageSize | null;

const noPage = null as PageState;

/** Reduces the size of the page. */
export const pageReducer = createReducer(noPage, (builder) =>
  builder.addCase(pageResized, (_, { payload }): PageState => payload),
);

/** The place at which the view of a person who has scrolled up rests; `null` at the bottom, and until it rests. */
type ScrolledState = ScrollPlace | null;

const notScrolled = null as ScrolledState;

/** Reduces the place to which a person scrolled. */
export const scrolledToReducer = createReducer(notScrolled, (builder) =>
  builder
    .addCase(scrollRested, (_, { payload }): ScrolledState => payload)
    .addCase(reachedBottom, () => notScrolled)
    .addCase(startFailureChanged, () => notScrolled),
);

/** What a person has shown more of, the newest last. */
export type ExpandedState = readonly Expansion[];

const nothingExpanded: ExpandedState = [];

/** Returns whether two expansions are of the same part of the same message or item. */
const isSamePart = (a: Expansion, b: Expansion): boolean =>
  a.part === b.part && a.message === b.message && a.item === b.item;

/** Reduces what is expanded. */
export const expandedReducer = createReducer(nothingExpanded, (builder) =>
  builder
    .addCase(expansionChanged, (expanded, { payload }): ExpandedState => {
      const others = expanded.filter((one) => !isSamePart(one, payload));
      return payload.steps === 0 ? others : [...others, payload].slice(-MOST_EXPANDED);
    })
    .addCase(startFailureChanged, () => nothingExpanded),
);

const unknownAssistant = null as WindowState['assistant'];

/** Reduces who answers. */
export const assistantReducer = createReducer(unknownAssistant, (builder) =>
  builder.addCase(assistantShown, (_, { payload }): WindowState['assistant'] => payload),
);

/** The slices of the window state. They fold the actions of the window state and nothing else. */
const windowStateReducers = {
  view: viewReducer,
  signInForm: signInFormReducer,
  textBox: textBoxReducer,
  fileDrop: fileDropReducer,
  alerts: alertsReducer,
  notes: notesReducer,
  dialog: dialogReducer,
  menu: menuReducer,
  scroll: scrollReducer,
  place: placeReducer,
  startFailure: startFailureReducer,
  soundProgress: soundProgressReducer,
  viewer: viewerReducer,
  find: findReducer,
  page: pageReducer,
  scrolledTo: scrolledToReducer,
  expanded: expandedReducer,
  viewerZoom: viewerZoomReducer,
  messageMenu: messageMenuReducer,
  assistant: assistantReducer,
};

const foldSlices: Reducer<Omit<WindowState, 'editing'>> = combineReducers(windowStateReducers);

/** Folds the slices, and which question the person edits: a window in which none is edited has no field for it. */
const foldWindowState: Reducer<WindowState> = (state, action) => {
  const before = state?.editing === undefined ? state : withoutEditing(state);
  const folded = foldSlices(before, action);
  const after = editingAfter(state?.editing, action);
  if (state !== undefined && folded === before && after === state.editing) return state;
  return after === undefined ? folded : { ...folded, editing: after };
};

const withoutEditing = ({ editing: _editing, ...slices }: WindowState) => slices;

/** Returns which question is edited after an action: until the text box closes. */
function editingAfter(editing: string | undefined, action: unknown): string | undefined {
  if (isOfType(action, textBoxOpened)) return action.payload.edits;
  const isClosed =
    isOfType(action, textBoxClosed) ||
    isOfType(action, textBoxSent) ||
    (isOfType(action, startFailureChanged) && action.payload.failure !== null);
  return isClosed ? undefined : editing;
}

/** The state of a window's store: what the window shows is a function of it. */
export interface ShownState extends SharedState {
  readonly own: WindowState;
}

/** The state of a window whose page has just loaded. */
export const initialWindowState: WindowState = foldWindowState(undefined, NO_ACTION);

/** Returns the state of a window as a new one of its size has it, in this view: what the window shows next may be another person's. */
export function resetWindowState(own: WindowState, view = own.view): WindowState {
  const reset = { ...initialWindowState, view, page: own.page, assistant: own.assistant };
  const slices = new Map<string, unknown>(Object.entries(reset));
  return Object.entries(own).every(([slice, value]) => value === slices.get(slice)) ? own : reset;
}

/** Reduces a window's state: in the window itself, in main's copy and in a replay. Another view begins with the state of a new window. */
export const windowStateReducer: Reducer<WindowState> = (state = initialWindowState, action) => {
  if (isOfType(action, stateReported)) return action.payload.state;
  return isOfType(action, viewChanged)
    ? resetWindowState(state, action.payload.view)
    : foldWindowState(state, action);
};

/** The slices of the window state. They fold the actions of the window state and nothing else. */
