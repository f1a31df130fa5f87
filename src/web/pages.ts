import type { App } from './app.ts';
import { type Encoded, type ToHost, encode } from './bridge.ts';
import { PreventableEvent } from './electronEmitter.ts';
import type { IpcMain } from './ipcMain.ts';
import type { Notifications } from './notification.ts';
import { Page, type PageSocket } from './page.ts';
import type { HostWindow } from './window.ts';
import type { Windows } from './windows.ts';

export interface PagesDeps {
  readonly app: App;
  readonly windows: Windows;
  readonly ipcMain: IpcMain;
  readonly notifications: Notifications;
  /** Names this run of the host: a page of an earlier one loads itself again. */
  readonly instance: string;
}

/** The pages that are connected: each shows a window, and the newest come last. */
export class Pages {
  readonly #connected = new Set<Page>();
  /** What every page shows of the tray, also those still to come. */
  #tray: Encoded = encode(['tray', null, null]);

  constructor(private readonly deps: PagesDeps) {}

  get count(): number {
    return this.#connected.size;
  }

  /** A page has connected; gives what it says to whom it concerns. */
  connect(socket: PageSocket): { heard: (messages: readonly ToHost[]) => void; gone: () => void } {
    const page = new Page(socket);
    this.#connected.add(page);
    page.send(encode(['host', this.deps.instance]));
    page.send(this.#tray);
    this.#findWindow(page);
    return {
      heard: (messages) => {
        for (const message of messages) this.#heard(page, message);
      },
      gone: () => this.#gone(page),
    };
  }

  showTray(title: string | null, icon: string | null): void {
    this.#tray = encode(['tray', title, icon]);
    for (const page of this.#connected) page.send(this.#tray);
  }

  /** The page that a person looks at, else the newest. */
  foremost(): Page | undefined {
    const pages = [...this.#connected].filter((page) => page.window !== null);
    return pages.findLast((page) => page.hasFocus) ?? pages.at(-1);
  }

  /**
   * A waiting window, a visible one first. Where there is none, or it is hidden, main is told that a person is there
   * (`activate`), and then that one more tab was opened (`new-window-for-tab`): both are macOS's own events.
   */
  #findWindow(page: Page): void {
    const { app, windows } = this.deps;
    const isHidden = windows.waiting()?.isVisible() === false;
    if (isHidden || windows.all().length === 0) app.emit('activate', new PreventableEvent(), false);
    if (windows.waiting() === undefined) app.emit('new-window-for-tab', new PreventableEvent());
    const window = windows.waiting();
    if (window === undefined) {
      page.dismiss('refused');
      return;
    }
    bringUp(window);
    window.adopt(page);
  }

  #gone(page: Page): void {
    this.#connected.delete(page);
    this.deps.notifications.forget(page);
    page.window?.abandon();
    page.window = null;
  }

  #heard(page: Page, message: ToHost): void {
    const { window } = page;
    // It was closed, and what the page said crossed that.
    if (window === null) return;
    const { ipcMain, notifications } = this.deps;
    switch (message[0]) {
      case 'send':
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
      case 'show':
        return bringUp(window);
      case 'notification':
        return notifications.happened(message[1], message[2]);
      default:
        return message satisfies never;
    }
  }

  #focused(page: Page, hasFocus: boolean): void {
    if (page.hasFocus === hasFocus) return;
    page.hasFocus = hasFocus;
    page.window?.emit(hasFocus ? 'focus' : 'blur');
  }
}

/** A page that comes, or asks, is looked at: its window is neither hidden nor minimised. */
function bringUp(window: HostWindow): void {
  window.restore();
  window.show();
}
