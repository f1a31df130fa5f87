import { EventEmitter } from 'node:events';
import type { Party } from '../world/world.ts';
import type { IpcMain } from './ipcMain.ts';
import { type OpenPage, WebContents } from './webContents.ts';

/** An event that a listener can prevent. */
export interface CloseEvent {
  isPrevented: boolean;
  preventDefault(): void;
}

export const closeEvent = (): CloseEvent => {
  const event = { isPrevented: false, preventDefault: () => void (event.isPrevented = true) };
  return event;
};

/** What the windows of a program share. */
export interface WindowHost {
  readonly party: Party;
  /** Loads a page. */
  readonly openPage: OpenPage;
  readonly ipcMain: IpcMain;
  readonly app: EventEmitter;
}

/** A window of the simulated desktop. */
export class SimWindow extends EventEmitter {
  readonly webContents: WebContents;
  #isVisible = false;
  #isFocused = false;
  #isMinimized = false;
  #isMaximized = false;
  #isDestroyed = false;

  constructor(
    private readonly host: WindowHost,
    private readonly windows: Set<SimWindow>,
  ) {
    super();
    this.setMaxListeners(0);
    this.webContents = new WebContents(host);
    windows.add(this);
    host.app.emit('web-contents-created', {}, this.webContents);
  }

  async loadURL(url: string): Promise<void> {
    this.webContents.load(url);
    this.host.party.schedule(20, () => this.#isDestroyed || this.emit('ready-to-show'));
  }

  isVisible = (): boolean => this.#isVisible;
  isFocused = (): boolean => this.#isFocused;
  isMinimized = (): boolean => this.#isMinimized;
  isMaximized = (): boolean => this.#isMaximized;
  isDestroyed = (): boolean => this.#isDestroyed;
  getNormalBounds = () => ({ x: 10, y: 10, width: 480, height: 760 });

  show(): void {
    this.setTitle();
    this.#set('show', () => (this.#isVisible = true));
    this.focus();
  }

  hide(): void {
    this.blur();
    this.#set('hide', () => (this.#isVisible = false));
  }

  focus(): void {
    for (const other of this.windows) if (other !== this) other.blur();
    if (!this.#isFocused) this.#set('focus', () => (this.#isFocused = true));
  }

  blur(): void {
    if (this.#isFocused) this.#set('blur', () => (this.#isFocused = false));
  }

  minimize(): void {
    this.blur();
    this.#set('minimize', () => (this.#isMinimized = true));
  }

  restore = (): void => this.#set('restore', () => (this.#isMinimized = false));
  maximize = (): void => this.#set('maximize', () => (this.#isMaximized = true));

  /** @throws when the window was destroyed, as Electron does. */
  setTitle(): void {
    if (this.#isDestroyed) throw new Error('Object has been destroyed');
  }

  close(): void {
    if (this.#isDestroyed) return;
    const event = closeEvent();
    this.emit('close', event);
    if (!event.isPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.windows.delete(this);
    this.webContents.destroy();
    this.emit('closed');
    const { party, app } = this.host;
    if (this.windows.size === 0)
      party.schedule(0, () => this.windows.size > 0 || app.emit('window-all-closed'));
  }

  #set(event: string, change: () => void): void {
    change();
    this.emit(event);
  }
}

/** Creates the class `BrowserWindow` of a program, and the set of its windows. */
export function browserWindows(host: WindowHost) {
  const windows = new Set<SimWindow>();
  class BrowserWindow extends SimWindow {
    constructor() {
      super(host, windows);
    }
    static getAllWindows = () => [...windows];
    static fromWebContents = (contents: unknown) =>
      [...windows].find(({ webContents }) => webContents === contents) ?? null;
    static getFocusedWindow = () => [...windows].find((window) => window.isFocused()) ?? null;
  }
  return { BrowserWindow, windows };
}
