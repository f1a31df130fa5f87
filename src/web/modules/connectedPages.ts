import { type BridgeSocket, type Encoded, type ToHost, encode } from '../bridge/bridge.ts';
import type { PageClipboard, Notifications } from './desktopModules.ts';
import { PreventableEvent } from './electronEmitter.ts';
import type { App } from './hostApp.ts';
import { Page, type HostWindow } from './hostWindow.ts';
import type { IpcMain } from './ipcMain.ts';
import { handlerAddress, originOf } from './protocol.ts';

/** The parts of the host that `Pages` uses. */
interface PagesDeps {
  readonly app: App;
  readonly windows: Windows;
  readonly ipcMain: IpcMain;
  readonly notifications: Notifications;
  readonly clipboard: PageClipboard;
  readonly shortcutPressed: (accelerator: string) => void;
  /** The identifier of this run of the host: pages of an earlier run reload. */
  readonly instance: string;
  /** Returns the key with which a page of this run is recognized again. */
  readonly resumeKey: () => string;
}

/** The connected pages, the newest last. Each shows a window. */
export class Pages {
  readonly #connected = new Set<Page>();
  /** The page with the last activity: a browser allows it to open a tab. */
  #acting: Page | undefined;
  /** Windows for which a page was requested to open a tab. */
  readonly #inTabs = new WeakSet<HostWindow>();
  /** The tray message, also for pages that connect later. */
  #tray: Encoded = encode(['tray', null, null]);
  /** The shortcuts message, also for pages that connect later. */
  #shortcuts: Encoded = encode(['shortcuts', []]);

  constructor(private readonly deps: PagesDeps) {}

  get count(): number {
    return this.#connected.size;
  }

  /** Connects a page; returns the listeners for its messages and for its disconnection. */
  connect(socket: BridgeSocket, path: string): { onMessage: (message: ToHost) => void; onClose: () => void } {
    const page = new Page(socket, path);
    this.#connected.add(page);
    page.send(encode(['host', this.deps.instance, this.deps.resumeKey()]));
    if (this.#isAppPage(page)) page.send(this.#tray);
    page.send(this.#shortcuts);
    this.#findWindow(page);
    return {
      onMessage: (message) => this.#receive(page, message),
      onClose: () => this.#disconnect(page),
    };
  }

  showTray(title: string | null, icon: string | null): void {
    this.#tray = encode(['tray', title, icon]);
    for (const page of this.#connected) if (this.#isAppPage(page)) page.send(this.#tray);
  }

  showShortcuts(accelerators: readonly string[]): void {
    this.#shortcuts = encode(['shortcuts', [...accelerators]]);
    for (const page of this.#connected) page.send(this.#shortcuts);
  }

  /** Returns the page that has the focus, else the newest. */
  frontmost(counts = (page: Page) => this.#windowOf(page) !== undefined): Page | undefined {
    const pages = [...this.#connected].filter(counts);
    return pages.findLast((page) => page.hasFocus) ?? pages.at(-1);
  }

  /**
   * Shows a window that was created while pages are connected: a page opens a tab for it. Only that page can bring the tab
   * to the front again.
   */
  present(window: HostWindow, how: 'new' | 'again'): void {
    if (how === 'again' && !this.#inTabs.has(window)) return;
    // A page that connects in this turn of the event loop gets the window first.
    setImmediate(() => {
      const isShown = how === 'new' && window.page !== null;
      const opener = this.#openerOf(window);
      if (isShown || window.isDestroyed() || opener === undefined) return;
      this.#inTabs.add(window);
      opener.send(encode(['open', this.#pathOf(window), `parley-${window.id}`]));
    });
  }

  /** Returns the page with the last activity, else the frontmost; never the window's own page. */
  #openerOf(window: HostWindow): Page | undefined {
    const mayOpen = (page: Page) => {
      const shown = this.#windowOf(page);
      return shown !== undefined && shown !== window;
    };
    if (this.#acting !== undefined && mayOpen(this.#acting)) return this.#acting;
    return this.frontmost(mayOpen);
  }

  /** The window that a page shows. */
  #windowOf(page: Page): HostWindow | undefined {
    return this.deps.windows.all().find((window) => window.page === page);
  }

  #pathOf({ webContents }: HostWindow): string {
    const url = webContents.getURL();
    return url === this.deps.windows.served.url ? '/' : url.slice(originOf(url).length);
  }

  #handlerAddress({ path }: Page): string | null {
    return handlerAddress(this.deps.windows.served.url, path);
  }

  /** Returns whether a page shows the app itself, and not another page of it. */
  #isAppPage(page: Page): boolean {
    return this.#handlerAddress(page) === this.deps.windows.served.url;
  }

  /**
   * Gives the page a waiting window, a visible one first. When the app's page finds none, or a hidden one, main receives
   * `activate` and then `new-window-for-tab`: both are events of macOS.
   */
  #findWindow(page: Page): void {
    const { app, windows } = this.deps;
    const waiting = () => windows.waiting(this.#handlerAddress(page) ?? '');
    if (this.#isAppPage(page)) {
      const isHidden = waiting()?.isVisible() === false;
      if (isHidden || windows.all().length === 0) app.emit('activate', new PreventableEvent(), false);
      if (waiting() === undefined) app.emit('new-window-for-tab', new PreventableEvent());
    }
    const window = waiting();
    if (window === undefined) {
      page.dismiss('refused');
      return;
    }
    showAgain(window);
    window.adopt(page);
  }

  #disconnect(page: Page): void {
    this.#connected.delete(page);
    if (this.#acting === page) this.#acting = undefined;
    this.#focused(page, false);
    this.deps.notifications.forget(page);
    this.deps.clipboard.forget(page);
    this.#windowOf(page)?.abandon();
  }

  /** Handles one message. An error of a listener must not reach ws, which would stop reading. */
  #receive(page: Page, message: ToHost): void {
    try {
      this.#handle(page, message);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #handle(page: Page, message: ToHost): void {
    const window = this.#windowOf(page);
    // The window was closed while the message was on its way.
    if (window === undefined) return;
    const { ipcMain, notifications } = this.deps;
    switch (message[0]) {
      case 'send':
        this.#acting = page;
        return ipcMain.sent(window.webContents, message[1], message[2]);
      case 'invoke':
        return void ipcMain.invoked(window.webContents, {
          id: message[1],
          channel: message[2],
          args: message[3],
        });
      case 'loaded':
        return window.loaded();
      case 'focus':
        return this.#focused(page, message[1]);
      case 'shortcut':
        this.#focused(page, true);
        return this.deps.shortcutPressed(message[1]);
      case 'show':
        return showAgain(window);
      case 'notification':
        return notifications.receive(message[1], message[2]);
      case 'copied':
        return this.deps.clipboard.copied(message[1], message[2]);
      default:
        return message satisfies never;
    }
  }

  #focused(page: Page, hasFocus: boolean): void {
    if (page.hasFocus === hasFocus) return;
    page.hasFocus = hasFocus;
    this.#windowOf(page)?.emit(hasFocus ? 'focus' : 'blur');
  }
}

/** Shows and restores the window of a page that connects or requests it. */
function showAgain(window: HostWindow): void {
  window.restore();
  window.show();
}

/** The windows of this process, in the order of their creation. */
export class Windows {
  readonly #open = new Set<HostWindow>();
  #lastId = 0;

  /** The address for `/` (of the first window), and the preload, which is the same for all windows. */
  served: { readonly url: string; readonly preload: string | undefined } = { url: '', preload: undefined };

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  add(window: HostWindow): void {
    this.#open.add(window);
  }

  /** @returns whether it was the last one. */
  remove(window: HostWindow): boolean {
    this.#open.delete(window);
    return this.#open.size === 0;
  }

  all(): HostWindow[] {
    return [...this.#open];
  }

  /** Sets what is served; the first call decides. */
  serve(url: string, preload: string | undefined): void {
    if (this.served.url === '') this.served = { url, preload };
  }

  /** Returns a window with this address that waits for a page, a visible one first. */
  waiting(url: string): HostWindow | undefined {
    const waiting = this.all().filter(
      ({ page, webContents }) => page === null && webContents.getURL() === url,
    );
    return waiting.find((window) => window.isVisible()) ?? waiting[0];
  }

  /** Requests each window to close; returns false when one prevents it. */
  close(): boolean {
    for (const window of this.all()) window.close();
    return this.#open.size === 0;
  }

  destroy(): void {
    for (const window of this.all()) window.destroy();
  }
}
