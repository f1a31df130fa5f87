import type * as Electron from 'electron';
import { App } from './modules/hostApp.ts';
import {
  HostTray,
  PageClipboard,
  type Picture,
  createClipboard,
  createGlobalShortcut,
  createMenu,
  createShell,
  nativeImage,
  safeStorage,
  screen,
  HostNotification,
  type NotificationOptions,
  Notifications,
} from './modules/desktopModules.ts';
import { PreventableEvent, throwOnMissing } from './modules/electronEmitter.ts';
import { Instance, type InstanceDeps } from './server/instance.ts';
import { IpcMain } from './modules/ipcMain.ts';
import { Pages, Windows } from './modules/connectedPages.ts';
import { HostPowerMonitor, type SleepClocks } from './modules/powerMonitor.ts';
import { createProtocol, createSession, handlerAddress } from './modules/protocol.ts';
import { HostWindow, type WebContents, type WindowOptions } from './modules/hostWindow.ts';

/** The parts of the process that the host uses. */
interface HostDeps
  extends SleepClocks, Pick<InstanceDeps, 'settings' | 'print' | 'complain' | 'openBrowser' | 'pause'> {
  /** Random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
  readonly exit: (exitCode: number) => void;
  readonly onSignal: (listener: () => void) => void;
  /** Runs a task every `ms` until the process ends. */
  readonly every: (ms: number, task: () => void) => void;
  /** Opens an address in the system's own program. */
  readonly openUrl: (url: string) => Promise<void>;
}

/** Creates one `electron` module from its parts. */
export function createHost(deps: HostDeps) {
  const windows = new Windows();
  const ipcMain = new IpcMain();
  const notifications = new Notifications(() => pages.frontmost());
  const { globalShortcut, pressed } = createGlobalShortcut((accelerators) =>
    pages.showShortcuts(accelerators),
  );
  const clipboard = new PageClipboard(() => pages.frontmost());
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
    clipboard,
    shortcutPressed: pressed,
    instance: deps.random(16).toString('hex'),
    resumeKey: () => instance.resumeKey,
  });
  const instance = new Instance({
    ...deps,
    serverDeps: createServerDeps({ random: deps.random, windows, pages, answer, permissionsPolicy }),
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
    globalShortcut,
    clipboard: createClipboard(clipboard),
    ...createSystemModules(deps),
    BrowserWindow: browserWindowOf({ app, windows, pages, instance }),
    webContents: webContentsOf(windows),
    Tray: trayOf(pages),
    Notification: notificationOf(notifications),
  };
}

interface ServerParts extends Pick<HostDeps, 'random'> {
  readonly windows: Windows;
  readonly pages: Pages;
  readonly answer: ReturnType<typeof createProtocol>['answer'];
  readonly permissionsPolicy: ReturnType<typeof createSession>['permissionsPolicy'];
}

/** Connects the server to the pages and to main's responses. */
const createServerDeps = ({
  random,
  windows,
  pages,
  answer,
  permissionsPolicy,
}: ServerParts): InstanceDeps['serverDeps'] => ({
  random,
  connect: (socket, path) => pages.connect(socket, path),
  answer: async (path, pageSecret) => {
    const url = handlerAddress(windows.served.url, path);
    return url === null ? null : answer(url, pageSecret);
  },
  preload: () => windows.served.preload,
  permissionsPolicy: () => permissionsPolicy(windows.served.url),
});

const createSystemModules = (deps: Pick<HostDeps, 'openUrl' | 'every'> & SleepClocks) => ({
  nativeImage,
  safeStorage,
  screen,
  powerMonitor: new HostPowerMonitor(deps),
  Menu: createMenu(),
  shell: createShell(deps.openUrl),
});

interface WindowParts {
  readonly app: App;
  readonly windows: Windows;
  readonly pages: Pages;
  readonly instance: Instance;
}

function browserWindowOf({ app, windows, pages, instance }: WindowParts) {
  return class BrowserWindow extends HostWindow {
    constructor(options: WindowOptions = {}) {
      super(
        {
          id: windows.nextId(),
          serve: async (url, preload) => {
            windows.serve(url, preload);
            await instance.serve();
          },
          present: (window, how) => pages.present(window, how),
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

    static getFocusedWindow(): HostWindow | null {
      return windows.all().find((window) => window.isFocused()) ?? null;
    }

    static fromWebContents(contents: WebContents): HostWindow | null {
      return windows.all().find((window) => window.webContents === contents) ?? null;
    }
  };
}

const webContentsOf = (windows: Windows) =>
  throwOnMissing('webContents', {
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
