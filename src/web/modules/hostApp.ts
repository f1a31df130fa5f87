import type * as Electron from 'electron';
import { name, version } from '../../../package.json';
import { ElectronEmitter, PreventableEvent } from './electronEmitter.ts';

interface AppEvents {
  ready: [];
  activate: [event: PreventableEvent, hasVisibleWindows: boolean];
  'second-instance': [event: PreventableEvent, argv: string[], workingDirectory: string];
  'new-window-for-tab': [event: PreventableEvent];
  'browser-window-created': [event: PreventableEvent, window: object];
  'web-contents-created': [event: PreventableEvent, contents: object];
  'window-all-closed': [];
  'before-quit': [event: PreventableEvent];
  'will-quit': [event: PreventableEvent];
  quit: [event: PreventableEvent, exitCode: number];
}

type AppApi = Pick<
  Electron.App,
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'getVersion'
  | 'getName'
  | 'setName'
  | 'setAppUserModelId'
  | 'getPath'
  | 'setPath'
  | 'isPackaged'
  | 'requestSingleInstanceLock'
  | 'setBadgeCount'
>;

/** The parts of the host that `App` uses. */
interface AppDeps {
  /** Requests every window to close; returns false when one prevents it. */
  readonly closeWindows: () => boolean;
  readonly destroyWindows: () => void;
  /** Takes the lock of a folder; returns false when another process has it. */
  readonly takeLock: (userData: string) => boolean;
  /** Stops the server and releases the lock; resolves to the process's exit code. */
  readonly stop: (exitCode: number) => Promise<number>;
  readonly exit: (exitCode: number) => void;
  /** Calls the listener when the system asks this process to end. */
  readonly onSignal: (listener: () => void) => void;
}

/**
 * Electron's `app`.
 *
 *   starting ─▶ ready ─ quit() ─▶ quitting ─▶ ended
 *                 ▲                  │
 *                 └─ a listener or ──┘        exit() ends from anywhere
 *                    a window prevents
 */
export class App extends ElectronEmitter<AppEvents> implements AppApi {
  #state: 'starting' | 'ready' | 'quitting' | 'ended' = 'starting';
  readonly #paths = new Map<string, string>();
  readonly #whenReady: Promise<void>;
  #handlesSignals = false;

  readonly isPackaged = false;

  constructor(private readonly deps: AppDeps) {
    super('app');
    this.#whenReady = new Promise((resolve) => {
      setImmediate(() => {
        if (this.#state !== 'starting') return;
        this.#state = 'ready';
        resolve();
        this.emit('ready');
      });
    });
  }

  /** Resolves when the app is ready. From the first call on, SIGINT and SIGTERM quit, as in Electron. */
  async whenReady(): Promise<void> {
    if (!this.#handlesSignals) this.deps.onSignal(() => this.quit());
    this.#handlesSignals = true;
    return this.#whenReady;
  }

  isReady(): boolean {
    return this.#state !== 'starting';
  }

  /** Does nothing: the page has its own title. */
  setName(): void {}

  /** Does nothing: the browser has its own identifier. */
  setAppUserModelId(): void {}

  getVersion(): string {
    return version;
  }

  getName(): string {
    return name;
  }

  setPath(key: string, path: string): void {
    this.#paths.set(key, path);
  }

  /** @throws {Error} for a path that was never set: the web host has no folders of its own. */
  getPath(key: string): string {
    const path = this.#paths.get(key);
    if (path === undefined) throw new Error(`electron.app.getPath('${key}') was not set in the web host`);
    return path;
  }

  /** Returns false, because a page has no badge: its title shows the unread messages and its icon is the tray's. */
  setBadgeCount(): boolean {
    return false;
  }

  /** Takes the lock of the `userData` folder. A second instance prints the address of the first one when it quits. */
  requestSingleInstanceLock(): boolean {
    return this.deps.takeLock(this.getPath('userData'));
  }

  quit(): void {
    if (this.#state === 'quitting' || this.#state === 'ended') return;
    const before = this.#state;
    this.#state = 'quitting';
    if (this.#isPrevented('before-quit') || !this.deps.closeWindows() || this.#isPrevented('will-quit')) {
      this.#state = before;
      return;
    }
    this.#end(0);
  }

  exit(exitCode = 0): void {
    if (this.#state === 'ended') return;
    this.#state = 'quitting';
    this.deps.destroyWindows();
    this.#end(exitCode);
  }

  /** Quits when `window-all-closed` has no listener, like Electron. */
  lastWindowClosed(): void {
    if (this.#state === 'quitting' || this.#state === 'ended') return;
    if (!this.emit('window-all-closed')) this.quit();
  }

  #isPrevented(step: 'before-quit' | 'will-quit'): boolean {
    const event = new PreventableEvent();
    this.emit(step, event);
    return event.defaultPrevented;
  }

  #end(exitCode: number): void {
    this.#state = 'ended';
    this.emit('quit', new PreventableEvent(), exitCode);
    void this.deps.stop(exitCode).then(this.deps.exit);
  }
}
