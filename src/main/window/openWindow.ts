import { isVisibleAndFocused } from '#shared/store/openWindows.ts';
import { BrowserWindow, nativeImage } from 'electron';
import {
  attentionGained,
  attentionLost,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
} from '#shared/actions/mainActions.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import type { Preferences } from '#shared/ipc/preferencesSchema.ts';
import { WINDOW_RATE } from '#shared/limits.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import type { MainStore } from '../store/mainStore.ts';
import { WEB_PREFERENCES } from './lockDownPages.ts';
import { messengerWindows, numberWindow, sendTools } from './messengerWindows.ts';
import { APP_PAGE } from './servePages.ts';
import type { Slot } from './windowBounds.ts';
import appIcon from '../../assets/icons/256.png?inline';

/** The options of a messenger window. */
export interface WindowOptions {
  /** Called when the window was created, with its number. */
  readonly onOpened: (window: BrowserWindow, number: number) => void;
  /** Called when the page has loaded or reloaded. */
  readonly onLoaded: (window: BrowserWindow) => void;
  /** Returns whether closing the last window only hides it: the session continues in the tray. */
  readonly hidesOnClose: () => boolean;
  /** Returns whether the desktop has a tray. Without one, the last window is minimized, so that it stays in the taskbar. */
  readonly hasTray: () => Promise<boolean>;
  /** Returns the current title; the page's title is ignored. */
  readonly title: () => string;
  /** Returns the theme of the preferences. */
  readonly theme: () => Preferences['theme'];
  /** Takes the next free slot for the window's bounds. */
  readonly takeSlot: () => Slot;
}

/** The windows' colours before their page is painted, as in `tokens.css`. */
const BACKGROUNDS = { light: '#f6f6f9', dark: '#121217' } as const;

/** Opens a messenger window with our page, sandboxed. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const { bounds, persist } = options.takeSlot();
  const theme = options.theme();
  const window = new BrowserWindow({
    title: options.title(),
    width: 480,
    height: 760,
    ...(bounds && { x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height }),
    minWidth: 360,
    minHeight: 480,
    frame: false,
    show: false,
    ...(theme !== 'system' && { backgroundColor: BACKGROUNDS[theme] }),
    icon: nativeImage.createFromDataURL(appIcon),
    webPreferences: WEB_PREFERENCES,
  });
  persist(window);
  options.onOpened(window, numberWindow(window));
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (bounds?.isMaximized) window.maximize();
    window.show();
  });
  window.webContents.on('did-finish-load', () => {
    options.onLoaded(window);
    sendTools(window.webContents, 'requestState');
  });
  window.on('close', (event) => {
    // Other windows are destroyed: each hidden one would need as much memory as a visible one.
    const isLast = messengerWindows().every((one) => one === window);
    if (!isLast || !options.hidesOnClose()) return;
    event.preventDefault();
    void hideOrMinimize(window, options);
  });
  void window.loadURL(APP_PAGE);
  return window;
}

async function hideOrMinimize(window: BrowserWindow, { hasTray }: WindowOptions): Promise<void> {
  const isInTray = await hasTray();
  // The program may have quit in the meantime.
  if (window.isDestroyed()) return;
  if (isInTray) window.hide();
  else window.minimize();
}

/** Brings a window to the front: a visible one, else a hidden one, else a new one. */
export function showWindow(options: WindowOptions): BrowserWindow {
  const windows = messengerWindows();
  const window = windows.find((one) => one.isVisible()) ?? windows[0] ?? openWindow(options);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  return window;
}

/** The part of a window that is followed. */
type FollowedWindow = Pick<BrowserWindow, 'isVisible' | 'isMinimized' | 'isFocused'> &
  Pick<NodeJS.EventEmitter, 'on'>;

const CHANGES = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore'];

/** When the changes of a window are over their limit, it is looked at again after this time. */
const NEXT_CHECK_MS = 1000;

interface FollowParts {
  readonly store: MainStore;
  readonly clock: Clock;
}

/**
 * Dispatches what happens to a window from its opening to its end: an action for each change, and whether any visible window has the
 * focus. Over `WINDOW_RATE`, changes are skipped, and the actions follow later: in the web host a page's script can claim any number of changes, and captures
 * contain them.
 */
export function followWindow({ store, clock }: FollowParts, window: FollowedWindow, number: number): void {
  const bucket = createTokenBucket(WINDOW_RATE, clock);
  let nextCheck: Cancel | undefined;
  const check = () => {
    if (!bucket.take(1)) {
      nextCheck ??= clock.after(NEXT_CHECK_MS, checkLater);
      return;
    }
    const state = store.getState().windows[number];
    if (state === undefined) return;
    const { isVisible, isFocused, isMinimized } = state;
    if (window.isVisible() !== isVisible) store.dispatch((isVisible ? windowHidden : windowShown)(number));
    if (window.isMinimized() !== isMinimized)
      store.dispatch((isMinimized ? windowRestored : windowMinimized)(number));
    if (window.isFocused() !== isFocused) store.dispatch((isFocused ? windowBlurred : windowFocused)(number));
    checkAttention(store);
  };
  const checkLater = () => {
    nextCheck = undefined;
    check();
  };
  store.dispatch(windowOpened(number));
  for (const change of CHANGES) window.on(change, check);
  window.on('closed', () => {
    nextCheck?.();
    store.dispatch(windowClosed(number));
    checkAttention(store);
  });
}

function checkAttention(store: MainStore): void {
  const { windows, attention } = store.getState();
  const isWatched = Object.values(windows).some(isVisibleAndFocused);
  if (isWatched !== attention.isWatched) store.dispatch(isWatched ? attentionGained() : attentionLost());
}
