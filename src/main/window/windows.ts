import { join } from 'node:path';
import { BrowserWindow, shell } from 'electron';
import type { Heard } from '#shared/ipc/channels.ts';
import { APP_PAGE } from './pages.ts';

const PRELOAD = join(import.meta.dirname, 'preload.cjs');

/** Tells every window something. */
export function tellWindows<C extends keyof Heard>(channel: C, ...args: Heard[C]): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, ...args);
}

/** How a window greets its page and leaves the screen. */
export interface WindowOptions {
  /** The page is there, for the first time or anew. */
  readonly onLoaded: (window: BrowserWindow) => void;
  /** Whether closing a window only hides it: the session goes on in the tray. */
  readonly hidesOnClose: () => boolean;
}

/** Opens a window: our page, sandboxed, that can go nowhere else and open nothing by itself. */
export function openWindow({ onLoaded, hidesOnClose }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Parley',
    width: 480,
    height: 760,
    minWidth: 360,
    minHeight: 480,
    frame: false,
    show: false,
    webPreferences: { preload: PRELOAD, sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  lockDown(window);
  window.once('ready-to-show', () => window.show());
  window.webContents.on('did-finish-load', () => onLoaded(window));
  window.on('close', (event) => {
    if (!hidesOnClose()) return;
    event.preventDefault();
    window.hide();
  });
  void window.loadURL(APP_PAGE);
  return window;
}

/** Brings a window to the front: the first one, or a new one when there is none. */
export function showWindow(options: WindowOptions): void {
  const window = BrowserWindow.getAllWindows()[0] ?? openWindow(options);
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function lockDown({ webContents }: BrowserWindow): void {
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  webContents.setWindowOpenHandler(({ url }) => {
    if (isForTheBrowser(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

const FOR_THE_BROWSER: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

const isForTheBrowser = (url: string) => URL.canParse(url) && FOR_THE_BROWSER.has(new URL(url).protocol);
