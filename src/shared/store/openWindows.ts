import { type PayloadAction, type Reducer, type UnknownAction, createReducer } from '@reduxjs/toolkit';
import {
  dataDeleted,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
  attentionGained,
  attentionLost,
} from '../actions/mainActions.ts';
import { sessionEnded, updateApplied } from '../actions/sessionActions.ts';
import type { WindowState } from '../actions/windowSchemas.ts';
import { isOfType, LOCAL } from '../isOfType.ts';
import type { Update } from '../protocol/update.ts';
import { resetsSession } from './inSession.ts';
import { initialWindowState, windowStateReducer, resetWindowState } from './windowState.ts';

/** A messenger window, as main knows it. */
export interface KnownWindow {
  /** Main's copy of the state that the window owns, folded from its reports. */
  readonly own: WindowState;
  /** `false` while the window is hidden: its session continues in the tray. */
  readonly isVisible: boolean;
  readonly isFocused: boolean;
  readonly isMinimized: boolean;
}

/** Returns whether the person can see and use a window now. */
export const isVisibleAndFocused = ({
  isVisible,
  isFocused,
  isMinimized,
}: Omit<KnownWindow, 'own'>): boolean => isVisible && isFocused && !isMinimized;

/** Returns whether the person sees the newest message in a window, and nothing is in front of it. */
export const showsNewestMessage = (window: KnownWindow): boolean => {
  const { view, startFailure, scroll, alerts, dialog, viewer } = window.own;
  const isBehind = alerts.waiting.length > 0 || dialog !== null || viewer !== null;
  const isShown = view === 'conversation' && startFailure === null && scroll.isAtBottom && !isBehind;
  return isShown && isVisibleAndFocused(window);
};

/** The open windows by number. Numbers count from 1 in the order of opening; a number is not used again. */
export type WindowsState = Readonly<Record<number, KnownWindow>>;

const opened: KnownWindow = {
  own: initialWindowState,
  isVisible: false,
  isFocused: false,
  isMinimized: false,
};

const noWindows: WindowsState = {};

/** Returns the case of an action that sets some fields of a window. */
const sets =
  (change: Partial<KnownWindow>) =>
  (
    windows: WindowsState,
    { payload: { number } }: PayloadAction<{ readonly number: number }>,
  ): WindowsState => {
    const window = windows[number];
    return window === undefined ? windows : { ...windows, [number]: { ...window, ...change } };
  };

/** Reduces main's actions about its windows. They stay in main. */
const windowsOfMain = createReducer(noWindows, (builder) =>
  builder
    .addCase(windowOpened, (windows, { payload: { number } }): WindowsState => ({
      ...windows,
      [number]: opened,
    }))
    .addCase(windowShown, sets({ isVisible: true }))
    .addCase(windowHidden, sets({ isVisible: false }))
    .addCase(windowFocused, sets({ isFocused: true }))
    .addCase(windowBlurred, sets({ isFocused: false }))
    .addCase(windowMinimized, sets({ isMinimized: true }))
    .addCase(windowRestored, sets({ isMinimized: false }))
    .addCase(windowClosed, (windows, { payload: { number } }): WindowsState =>
      Object.fromEntries(Object.entries(windows).filter(([key]) => key !== String(number))),
    ),
);

/** Returns an action of a window's state as main dispatches it: marked with the window's number, and staying in main. */
export const ofWindow = <A extends UnknownAction>(action: A, window: number) => ({
  ...action,
  meta: { ...LOCAL, window },
});

/** The number of no window. */
export const NO_WINDOW = 0;

/** Returns the number of the window that an action is marked with, or `undefined`. The value may be of any type. */
export function windowOf(action: unknown): number | undefined {
  const { window }: { readonly window?: unknown } = Object(Object(action).meta);
  return typeof window === 'number' ? window : undefined;
}

/** Returns whether what the windows show was another person's, or is deleted. */
const resetsWindows = (action: unknown): boolean =>
  isOfType(action, sessionEnded) || isOfType(action, dataDeleted);

/** Returns the windows as new ones: a closed page does not report that it shows nothing any more. */
const resetWindows = (windows: WindowsState): WindowsState =>
  Object.entries(windows).reduce(
    (all, [number, window]) => withOwn(all, Number(number), resetWindowState(window.own)),
    windows,
  );

/** Replaces the state of a window; unchanged windows keep their reference. */
function withOwn(windows: WindowsState, number: number, own: WindowState): WindowsState {
  const window = windows[number];
  return window === undefined || own === window.own ? windows : { ...windows, [number]: { ...window, own } };
}

/** Folds main's actions about its windows, and the actions of the windows' state. Windows are reset when a session ends: the next one may be another person's. */
export const windowsReducer: Reducer<WindowsState> = (state, action) => {
  const windows = windowsOfMain(state, action);
  if (resetsWindows(action)) return resetWindows(windows);
  const number = windowOf(action) ?? NO_WINDOW;
  const window = windows[number];
  if (window === undefined) return windows;
  return withOwn(windows, number, windowStateReducer(window.own, action));
};

/**
 * Whether a window has the person's attention, and how many messages arrived without it:
 *
 *     unwatched: messages of others are counted ◀─── lost ─── watched: nothing is unread
 *             └──────────────────── gained ───────────────────▶ │
 */
export interface AttentionState {
  readonly isWatched: boolean;
  /** How many messages arrived while no window was watched: the number on the program's icon, 0 shows none. */
  readonly unread: number;
}

const unwatched: AttentionState = { isWatched: false, unread: 0 };
const watched: AttentionState = { isWatched: true, unread: 0 };

/** The modifiers of messages by others: the person's own messages are not counted. */
const OTHERS: ReadonlySet<string | undefined> = new Set(['ai', 'admin']);

/** Reduces the attention. */
export const attentionReducer: Reducer<AttentionState> = (attention = unwatched, action) => {
  if (isOfType(action, attentionGained)) return watched;
  if (isOfType(action, attentionLost)) return attention.isWatched ? unwatched : attention;
  if (resetsSession(action)) return attention.isWatched ? watched : unwatched;
  return isOfType(action, updateApplied) ? countUnread(attention, action.payload.update) : attention;
};

/** Counts an applied update if it is a message that the person has not seen. */
export const countUnread = (attention: AttentionState, { kind, frame }: Update): AttentionState =>
  kind === 'message' && !attention.isWatched && OTHERS.has(frame.modifier)
    ? { isWatched: false, unread: attention.unread + 1 }
    : attention;

/** Returns a text with the number of unread messages before it. */
export const withUnread = (text: string, { unread }: Pick<AttentionState, 'unread'>): string =>
  unread === 0 ? text : `(${unread}) ${text}`;

/** Returns the title of every window. */
export const windowTitle = (attention: Pick<AttentionState, 'unread'>): string =>
  withUnread('Parley', attention);
