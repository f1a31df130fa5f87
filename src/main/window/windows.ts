import { BrowserWindow, nativeImage } from 'electron';
import appIcon from '../../assets/icons/256.png?inline';
import { APP_PAGE } from './pages.ts';
import { messengerWindows } from './messengerWindows.ts';
import type { Slot } from './places.ts';
import { WEB_PREFERENCES } from './webPreferences.ts';

/** How a window greets its page and leaves the screen. */
export interface WindowOptions {
  /** The page is there, for the first time or anew. */
  readonly onLoaded: (window: BrowserWindow) => void;
  /** Whether closing a window only hides it: the session goes on in the tray. */
  readonly hidesOnClose: () => boolean;
  /** Its title now; the page's own does not count. */
  readonly title: () => string;
  /** Where it stands; it takes its place among the windows. */
  readonly takeSlot: () => Slot;
}

/** Opens a window: our page, sandboxed. */
export function openWindow({ onLoaded, hidesOnClose, title, takeSlot }: WindowOptions): BrowserWindow {
  const { place, keep } = takeSlot();
  const window = new BrowserWindow({
    title: title(),
    width: 480,
    height: 760,
    ...(place && { x: place.x, y: place.y, width: place.width, height: place.height }),
    minWidth: 360,
    minHeight: 480,
    frame: false,
    show: false,
    icon: nativeImage.createFromDataURL(appIcon),
    webPreferences: WEB_PREFERENCES,
  });
  keep(window);
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (place?.isMaximized) window.maximize();
    window.show();
  });
  window.webContents.on('did-finish-load', () => onLoaded(window));
  window.on('close', (event) => {
    if (!hidesOnClose()) return;
    event.preventDefault();
    window.hide();
  });
  void window.loadURL(APP_PAGE);
  return window;
}

/** Brings a window to the front: one that can be seen, else a closed one, or a new one when there is none. */
export function showWindow(options: WindowOptions): BrowserWindow {
  const windows = messengerWindows();
  const window = windows.find((one) => one.isVisible()) ?? windows[0] ?? openWindow(options);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  return window;
}
