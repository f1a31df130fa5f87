import { EventEmitter } from 'node:events';
import type { Party } from '../world/world.ts';
import { type SimWindow, browserWindows, closeEvent } from './browserWindows.ts';
import { IpcMain } from './ipcMain.ts';
import type { OpenPage } from './webContents.ts';

/** An entry of a menu, as the product describes it. */
export interface MenuEntry {
  readonly label?: string;
  readonly enabled?: boolean;
  readonly click?: () => void;
  readonly submenu?: readonly MenuEntry[];
}

interface ElectronOptions {
  readonly party: Party;
  /** Loads a page. */
  readonly openPage: OpenPage;
  /** Called when the program has ended by itself. */
  readonly onQuit: () => void;
}

/** What the simulation does with the program: the desktop's side of Electron. */
export interface Desktop {
  readonly windows: ReadonlySet<SimWindow>;
  readonly menu: () => readonly MenuEntry[];
  readonly tray: () => readonly MenuEntry[];
  readonly app: EventEmitter & { quit(): void };
  readonly powerMonitor: EventEmitter;
  /** Presses the shortcut with this name. */
  readonly shortcuts: ReadonlyMap<string, () => void>;
  /** A page begins a download. */
  download(): void;
  /** Answers a request of a page; `undefined` before the program serves pages. */
  fetch(url: string): Promise<Response | undefined>;
}

/** Creates `app`: it quits as Electron does. */
function createApp({ party, onQuit }: ElectronOptions, closeWindows: () => boolean) {
  const app = new EventEmitter();
  app.setMaxListeners(0);
  const quit = () => {
    const before = closeEvent();
    app.emit('before-quit', before);
    if (before.isPrevented || !closeWindows()) return;
    const will = closeEvent();
    app.emit('will-quit', will);
    if (will.isPrevented) return;
    app.emit('quit', {}, 0);
    onQuit();
  };
  return Object.assign(app, {
    setName: () => undefined,
    setAppUserModelId: () => undefined,
    setPath: () => undefined,
    setBadgeCount: () => true,
    requestSingleInstanceLock: () => true,
    whenReady: () => new Promise<void>((resolve) => void party.schedule(1, resolve)),
    quit: () => void party.schedule(0, quit),
  });
}

/** Answers a request of a page. */
type Serve = (request: { readonly url: string }) => Promise<Response>;

/** The parts of Electron that only show something. */
const showing = ({ party }: ElectronOptions) => {
  const nativeImage = { setTemplateImage: () => undefined };
  class Notification extends EventEmitter {
    static isSupported = () => true;
    show = () => undefined;
  }
  const defaultSession = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: () => undefined,
    setPermissionCheckHandler: () => undefined,
    clearStorageData: async () => undefined,
    clearCache: async () => undefined,
  });
  let serve: Serve | undefined;
  const protocol = {
    registerSchemesAsPrivileged: () => undefined,
    handle: (_: string, handler: Serve) => void (serve = handler),
  };
  const shown = {
    Notification,
    nativeImage: { createFromDataURL: () => nativeImage, createFromBuffer: () => nativeImage },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] },
    protocol,
    session: { defaultSession },
    shell: { openExternal: async () => undefined, showItemInFolder: () => undefined },
    clipboard: {
      writeText() {
        if (party.random.chance(0.2)) throw new Error('another program uses the clipboard');
      },
      readText: () => '',
    },
  };
  const desktop: Pick<Desktop, 'download' | 'fetch'> = {
    download: () => download(party, defaultSession),
    fetch: async (url) => serve?.({ url }),
  };
  return { shown, desktop };
};

/** A page begins a download, which ends after a while. */
function download(party: Party, session: EventEmitter): void {
  const own = { getURL: () => '', getFilename: () => 'picture.png', setSaveDialogOptions: () => undefined };
  const item = Object.assign(new EventEmitter(), { ...own, getInitiatorOrigin: () => 'parley://app' });
  session.emit('will-download', {}, item);
  const outcome = party.random.pick(['completed', 'cancelled', 'interrupted']);
  party.schedule(300, () => void item.emit('done', {}, outcome));
}

/** The keyring of the simulated user. */
const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  encryptStringAsync: async (text: string) => Buffer.from(`keyring ${Buffer.from(text).toString('hex')}`),
  async decryptStringAsync(bytes: Buffer) {
    const text = Buffer.from(bytes.toString().replace('keyring ', ''), 'hex').toString();
    return { result: text, shouldReEncrypt: false };
  },
};

/** Creates the module `electron` of one run of the program, and the desktop's side of it. */
export function createElectron(options: ElectronOptions): {
  readonly module: object;
  readonly desktop: Desktop;
} {
  const ipcMain = new IpcMain();
  ipcMain.setMaxListeners(0);
  const closeWindows = () => {
    for (const window of windows) window.close();
    return windows.size === 0;
  };
  const app = createApp(options, closeWindows);
  const { BrowserWindow, windows } = browserWindows({ ...options, ipcMain, app });
  let menu: readonly MenuEntry[] = [];
  let trayMenu: readonly MenuEntry[] = [];
  const Menu = {
    buildFromTemplate: (template: readonly MenuEntry[]) => template,
    setApplicationMenu: (template: readonly MenuEntry[]) => void (menu = template),
  };
  class Tray extends EventEmitter {
    setImage = () => undefined;
    setToolTip = () => undefined;
    setContextMenu = (template: readonly MenuEntry[]) => void (trayMenu = template);
  }
  const powerMonitor = new EventEmitter();
  const shortcuts = new Map<string, () => void>();
  const globalShortcut = {
    register: (name: string, task: () => void) => shortcuts.set(name, task) === shortcuts,
    unregister: (name: string) => shortcuts.delete(name),
    unregisterAll: () => shortcuts.clear(),
    isRegistered: (name: string) => shortcuts.has(name),
  };
  const webContents = { getAllWebContents: () => [...windows].map((window) => window.webContents) };

  const { shown, desktop } = showing(options);
  const module = {
    app,
    BrowserWindow,
    ipcMain,
    Menu,
    Tray,
    powerMonitor,
    globalShortcut,
    webContents,
    safeStorage,
    ...shown,
  };
  return {
    module,
    desktop: {
      windows,
      menu: () => menu,
      tray: () => trayMenu,
      app,
      powerMonitor,
      shortcuts,
      ...desktop,
    },
  };
}
