import type * as Electron from 'electron';
import { App } from './app.ts';
import { createMenu, createShell, safeStorage } from './desktop.ts';
import { PreventableEvent, onlyWhatIs } from './electronEmitter.ts';
import { Instance, type InstanceDeps } from './instance.ts';
import { IpcMain } from './ipcMain.ts';
import { type Picture, nativeImage } from './nativeImage.ts';
import { HostNotification, type NotificationOptions, Notifications } from './notification.ts';
import { Pages } from './pages.ts';
import { addressOf, createProtocol } from './protocol.ts';
import { createSession } from './session.ts';
import { HostTray } from './tray.ts';
import type { WebContents } from './webContents.ts';
import { HostWindow, type WindowOptions } from './window.ts';
import { Windows } from './windows.ts';

/** What the host needs of the process that it runs in. */
export interface HostDeps extends Pick<
  InstanceDeps,
  'settings' | 'print' | 'complain' | 'openBrowser' | 'pause'
> {
  /** Random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
  readonly exit: (exitCode: number) => void;
  readonly onSignal: (listener: () => void) => void;
  /** Opens an address with the person's own programs. */
  readonly openUrl: (url: string) => Promise<void>;
}

/** One `electron` module: its parts, put together. */
export function createHost(deps: HostDeps) {
  const windows = new Windows();
  const ipcMain = new IpcMain();
  const notifications = new Notifications(() => pages.foremost());
  const { protocol, answer } = createProtocol();
  const { session, permissionsPolicy } = createSession();
  const app = new App({
    ...deps,
    closeWindows: () => windows.close(),
    destroyWindows: () => windows.destroy(),
    takeLock: (userData) => instance.takeLock(userData),
    stop: (exitCode) => instance.stop(exitCode),
  });
  const pages = new Pages({
    app,
    windows,
    ipcMain,
    notifications,
    instance: deps.random(16).toString('hex'),
  });
  const instance = new Instance({
    ...deps,
    serverDeps: {
      random: deps.random,
      connect: (socket) => pages.connect(socket),
      answer: async (path) => {
        const url = addressOf(windows.served.url, path);
        return url === null ? null : answer(url);
      },
      preload: () => windows.served.preload,
      permissionsPolicy: () => permissionsPolicy(windows.served.url),
    },
    secondInstance: ({ argv, workingDirectory }) =>
      app.emit('second-instance', new PreventableEvent(), argv, workingDirectory),
    pages: () => pages.count,
    giveUp: (exitCode) => app.exit(exitCode),
  });
  return {
    app,
    ipcMain,
    protocol,
    session,
    nativeImage,
    safeStorage,
    Menu: createMenu(),
    shell: createShell(deps.openUrl),
    BrowserWindow: browserWindowOf({ app, windows, instance }),
    webContents: webContentsOf(windows),
    Tray: trayOf(pages),
    Notification: notificationOf(notifications),
  };
}

function browserWindowOf({ app, windows, instance }: { app: App; windows: Windows; instance: Instance }) {
  return class BrowserWindow extends HostWindow {
    constructor(options: WindowOptions = {}) {
      super(
        {
          id: windows.nextId(),
          serve: async (url, preload) => {
            windows.served = { url, preload };
            await instance.serve();
          },
          created: (window) => {
            windows.add(window);
            app.emit('browser-window-created', new PreventableEvent(), window);
            app.emit('web-contents-created', new PreventableEvent(), window.webContents);
          },
          closed: (window) => {
            if (windows.remove(window)) app.lastWindowClosed();
          },
        },
        options,
      );
    }

    static getAllWindows(): HostWindow[] {
      return windows.all();
    }

    static fromWebContents(contents: WebContents): HostWindow | null {
      return windows.all().find((window) => window.webContents === contents) ?? null;
    }
  };
}

const webContentsOf = (windows: Windows) =>
  onlyWhatIs('webContents', {
    getAllWebContents: () => windows.all().map((window) => window.webContents),
  } satisfies Partial<Record<keyof typeof Electron.webContents, unknown>>);

const trayOf = (pages: Pages) =>
  class Tray extends HostTray {
    constructor(image: Picture | string) {
      super((title, icon) => pages.showTray(title, icon), image);
    }
  };

const notificationOf = (notifications: Notifications) =>
  class Notification extends HostNotification {
    constructor(options: NotificationOptions = {}) {
      super(notifications, options);
    }

    static isSupported(): boolean {
      return true;
    }
  };
