import type { App } from './app.ts';
import { type Encoded, type ToHost, encode } from '../bridge/bridge.ts';
import type { BridgeSocket } from '../bridge/outbox.ts';
import type { PageClipboard } from './clipboard.ts';
import { PreventableEvent } from './electronEmitter.ts';
import type { IpcMain } from './ipcMain.ts';
import type { Notifications } from './notification.ts';
import { Page } from './page.ts';
import { addressOf, originOf } from './protocol.ts';
import type { HostWindow } from './window.ts';
import type { Windows } from './windows.ts';

export interface PagesDeps {
  readonly app: App;
  readonly windows: Windows;
  readonly ipcMain: IpcMain;
  readonly notifications: Notifications;
  readonly clipboard: PageClipboard;
  readonly shortcutPressed: (accelerator: string) => void;
  /** Names this run of the host: a page of an earlier one loads itself again. */
  readonly instance: string;
}

/** The pages that are connected: each shows a window, and the newest come last. */
export class Pages {
  readonly #connected = new Set<Page>();
  /** The page that did something last: a browser lets it open a tab. */
  #acting: Page | undefined;
  /** Windows that a page has been asked to open a tab for. */
  readonly #inTabs = new WeakSet<HostWindow>();
  /** What every page shows of the tray, also those still to come. */
  #tray: Encoded = encode(['tray', null, null]);
  /** What every page hears of the keyboard. */
  #shortcuts: Encoded = encode(['shortcuts', []]);

  constructor(private readonly deps: PagesDeps) {}

  get count(): number {
    return this.#connected.size;
  }

  /** A page has connected; gives what it says to whom it concerns. */
  connect(
    socket: BridgeSocket,
    path: string,
  ): { heard: (messages: readonly ToHost[]) => void; gone: () => void } {
    const page = new Page(socket, path);
    this.#connected.add(page);
    page.send(encode(['host', this.deps.instance]));
    if (this.#isAppPage(page)) page.send(this.#tray);
    page.send(this.#shortcuts);
    this.#findWindow(page);
    return {
      heard: (messages) => {
        for (const message of messages) this.#heardOne(page, message);
      },
      gone: () => this.#gone(page),
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

  /** The page that a person looks at, else the newest. */
  foremost(counts = (page: Page) => this.#windowOf(page) !== undefined): Page | undefined {
    const pages = [...this.#connected].filter(counts);
    return pages.findLast((page) => page.hasFocus) ?? pages.at(-1);
  }

  /**
   * A window that has been made while pages are there gets one: a page opens a tab for it, and only that page can bring
   * the tab to the front again.
   */
  present(window: HostWindow, how: 'new' | 'again'): void {
    if (how === 'again' && !this.#inTabs.has(window)) return;
    // A page that comes just now is given the window first.
    setImmediate(() => {
      const isShown = how === 'new' && window.page !== null;
      const opener = this.#openerOf(window);
      if (isShown || window.isDestroyed() || opener === undefined) return;
      this.#inTabs.add(window);
      opener.send(encode(['open', this.#pathOf(window), `parley-${window.id}`]));
    });
  }

  /** The page that did something last, else the foremost; never the window's own. */
  #openerOf(window: HostWindow): Page | undefined {
    const mayOpen = (page: Page) => {
      const shown = this.#windowOf(page);
      return shown !== undefined && shown !== window;
    };
    if (this.#acting !== undefined && mayOpen(this.#acting)) return this.#acting;
    return this.foremost(mayOpen);
  }

  /** The window that a page shows. */
  #windowOf(page: Page): HostWindow | undefined {
    return this.deps.windows.all().find((window) => window.page === page);
  }

  #pathOf({ webContents }: HostWindow): string {
    const url = webContents.getURL();
    return url === this.deps.windows.served.url ? '/' : url.slice(originOf(url).length);
  }

  #addressOf({ path }: Page): string | null {
    return addressOf(this.deps.windows.served.url, path);
  }

  /** Whether a page shows the app itself, and not another of its pages. */
  #isAppPage(page: Page): boolean {
    return this.#addressOf(page) === this.deps.windows.served.url;
  }

  /**
   * A waiting window, a visible one first. For the app itself, where there is none, or it is hidden, main is told that a person is there
   * (`activate`), and then that one more tab was opened (`new-window-for-tab`): both are macOS's own events.
   */
  #findWindow(page: Page): void {
    const { app, windows } = this.deps;
    const waiting = () => windows.waiting(this.#addressOf(page) ?? '');
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
    bringUp(window);
    window.adopt(page);
  }

  #gone(page: Page): void {
    this.#connected.delete(page);
    if (this.#acting === page) this.#acting = undefined;
    this.#focused(page, false);
    this.deps.notifications.forget(page);
    this.deps.clipboard.forget(page);
    this.#windowOf(page)?.abandon();
  }

  /** An error of a listener must not reach ws, which would read no further message after it, nor keep back what follows. */
  #heardOne(page: Page, message: ToHost): void {
    try {
      this.#heard(page, message);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  #heard(page: Page, message: ToHost): void {
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
        return bringUp(window);
      case 'notification':
        return notifications.happened(message[1], message[2]);
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

/** A page that comes, or asks, is looked at: its window is neither hidden nor minimised. */
function bringUp(window: HostWindow): void {
  window.restore();
  window.show();
}
