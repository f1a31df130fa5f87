import { EventEmitter } from 'node:events';
import type { WindowOptions } from '../openWindow.ts';

/** A window of a fake of Electron: `close` destroys it, unless a listener prevents that. */
export class FakeWindow extends EventEmitter {
  /** The open windows. */
  static all: FakeWindow[] = [];
  /** Receives what is done with the windows, before a message is sent. */
  static note: (act: string, ...sent: unknown[]) => void = () => {};
  static getAllWindows = () => FakeWindow.all;
  static fromWebContents = (contents: unknown) =>
    FakeWindow.all.find(({ webContents }) => webContents === contents) ?? null;

  readonly id: number = Math.max(0, ...FakeWindow.all.map(({ id }) => id)) + 1;
  readonly mainFrame = { origin: 'parley://app' };
  readonly sent: unknown[][] = [];
  readonly webContents = Object.assign(new EventEmitter(), {
    id: this.id,
    mainFrame: this.mainFrame,
    isDestroyed: () => this.isDestroyed(),
    getZoomLevel: () => -1,
    setZoomLevel: (level: number) => FakeWindow.note(`zoom level ${level}`),
    send: (channel: string, ...args: unknown[]) => {
      FakeWindow.note(`sent ${channel}`, ...args);
      this.sent.push([channel, ...args]);
    },
  });
  isHidden = false;
  isInTaskbar = false;
  hasFocus = false;
  bounds = { x: 100, y: 80, width: 480, height: 760 };
  maximized = false;
  readonly titles: string[] = [];

  /** @param options those with which it was opened. */
  constructor(readonly options: object = {}) {
    super();
    FakeWindow.all.push(this);
    FakeWindow.note('opened');
  }

  hide = () => this.become('hidden', { isHidden: true });
  show = () => this.become('shown', { isHidden: false });
  minimize = () => this.become('minimized', { isInTaskbar: true });
  maximize = () => this.become('maximized', { maximized: true });
  restore = () => this.become('restored', { isInTaskbar: false });
  isVisible = () => !this.isHidden;
  isMinimized = () => this.isInTaskbar;
  isFocused = () => this.hasFocus;
  isDestroyed = () => !FakeWindow.all.includes(this);
  getNormalBounds = () => this.bounds;
  isMaximized = () => this.maximized;
  setTitle = (title: string) => void this.titles.push(title);
  focus = () => FakeWindow.note('focused');
  loadURL = async (url: string) => FakeWindow.note(`loads ${url}`);

  destroy(): void {
    FakeWindow.all = FakeWindow.all.filter((one) => one !== this);
    this.become('closed', {});
  }

  /** Changes the window, and emits an event. */
  become(event: string, change: Partial<FakeWindow>): void {
    Object.assign(this, change);
    FakeWindow.note(event);
    this.emit(event);
  }

  close(): void {
    let isPrevented = false;
    this.emit('close', { preventDefault: () => (isPrevented = true) });
    if (!isPrevented) this.destroy();
  }
}

/** Returns the options of windows that are destroyed when they are closed. */
export const windowOptions = (options: Partial<WindowOptions> = {}): WindowOptions => ({
  onOpened() {},
  onLoaded() {},
  hidesOnClose: () => false,
  hasTray: async () => true,
  title: () => 'Parley',
  theme: () => 'system',
  takeSlot: () => ({ bounds: undefined, persist() {} }),
  ...options,
});
