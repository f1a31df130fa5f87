import type * as Electron from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseAccelerator } from '../bridge/accelerator.ts';
import { encode } from '../bridge/bridge.ts';
import { ElectronEmitter, throwOnMissing } from './electronEmitter.ts';
import type { Page } from './hostWindow.ts';

/** Small modules of Electron that a browser replaces or cannot provide. */

type Template = readonly (Electron.MenuItemConstructorOptions | Electron.MenuItem)[];

/** Creates Electron's `Menu`: it is stored and never shown. */
export function createMenu() {
  let applicationMenu: object | null = null;
  return throwOnMissing('Menu', {
    buildFromTemplate: (template: Template) => throwOnMissing('Menu', { items: template }),
    setApplicationMenu: (menu: object | null) => {
      applicationMenu = menu;
    },
    getApplicationMenu: () => applicationMenu,
  } satisfies Partial<Record<keyof typeof Electron.Menu, unknown>>);
}

/** Electron's `screen`: it has no displays, because the browser places its windows. */
export const screen = throwOnMissing('screen', {
  getAllDisplays: () => [],
} satisfies Partial<Electron.Screen>);

/**
 * Creates Electron's `shell`.
 * @param openUrl opens an address in the system's own program.
 */
export function createShell(openUrl: (url: string) => Promise<void>) {
  return throwOnMissing('shell', { openExternal: openUrl } satisfies Partial<Electron.Shell>);
}

/** Electron's `safeStorage`: no keyring is available. */
export const safeStorage = throwOnMissing('safeStorage', {
  isAsyncEncryptionAvailable: async () => false,
} satisfies Partial<Electron.SafeStorage>);

interface Write {
  readonly page: Page;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Writes to the clipboard through a page: only a page has access to it. */
export class PageClipboard {
  readonly #writes = new Map<number, Write>();
  #lastId = 0;

  /** @param frontmost returns the page that has the focus, else the newest. */
  constructor(private readonly frontmost: () => Page | undefined) {}

  /**
   * Writes text to the clipboard.
   * @throws {Error} when no page is connected, or its browser does not allow it.
   */
  async writeText(text: string): Promise<void> {
    const page = this.frontmost();
    if (page === undefined) throw new Error('There is no page to write to the clipboard.');
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#writes.set(id, { page, resolve, reject });
      page.send(encode(['copy', id, text]));
    });
  }

  /** Receives the result of a write from a page. */
  copied(id: number, isCopied: boolean): void {
    const write = this.#writes.get(id);
    this.#writes.delete(id);
    if (isCopied) write?.resolve();
    else write?.reject(new Error('The browser does not let its page write to the clipboard.'));
  }

  /** A page has disconnected: rejects its writes. */
  forget(page: Page): void {
    for (const [id, write] of this.#writes) if (write.page === page) this.copied(id, false);
  }
}

/** Creates Electron's `clipboard`. */
export const createClipboard = (clipboard: PageClipboard) =>
  throwOnMissing('clipboard', {
    writeText: (text: string) => clipboard.writeText(text),
  } satisfies Partial<Electron.Clipboard>);

/**
 * Creates Electron's `globalShortcut` within the limits of a browser: a shortcut works while one of this process's pages
 * has the keyboard focus. No other program can have registered it there.
 * @param show makes every page listen to these accelerators, and no others.
 */
export function createGlobalShortcut(show: (accelerators: readonly string[]) => void) {
  const callbacks = new Map<string, () => void>();
  const update = () => show([...callbacks.keys()]);
  const globalShortcut = throwOnMissing('globalShortcut', {
    /** @throws {Error} for an accelerator that the web host does not know. */
    register(accelerator: string, callback: () => void): boolean {
      parseAccelerator(accelerator, false);
      if (callbacks.has(accelerator)) return false;
      callbacks.set(accelerator, callback);
      update();
      return true;
    },
    unregister(accelerator: string): void {
      if (callbacks.delete(accelerator)) update();
    },
    unregisterAll(): void {
      callbacks.clear();
      update();
    },
    isRegistered: (accelerator: string) => callbacks.has(accelerator),
  } satisfies Partial<Electron.GlobalShortcut>);
  /** A page reports a press. The report may arrive after an `unregister`. */
  const pressed = (accelerator: string) => callbacks.get(accelerator)?.();
  return { globalShortcut, pressed };
}

/** The part of an image that a page needs. */
export type Picture = Pick<Electron.NativeImage, 'isEmpty' | 'isTemplateImage' | 'setTemplateImage'> & {
  toDataURL(): string;
};

/** The file types that Electron reads. */
const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** Electron's data URL of an empty image. */
const EMPTY = 'data:image/png;base64,';

function picture(dataUrl: string): Picture {
  let isTemplate = false;
  return throwOnMissing('NativeImage', {
    toDataURL: () => dataUrl,
    isEmpty: () => dataUrl === EMPTY,
    isTemplateImage: () => isTemplate,
    setTemplateImage(option: boolean) {
      isTemplate = option;
    },
  });
}

/** Reads an image file. As in Electron, a missing file or one of another type is an empty image. */
function createFromPath(path: string): Picture {
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined || !existsSync(path)) return picture(EMPTY);
  return picture(`data:${type};base64,${readFileSync(path).toString('base64')}`);
}

/** Returns an image, read from a file when its path is given. */
const pictureFrom = (image: Picture | string): Picture =>
  typeof image === 'string' ? createFromPath(image) : image;

/** Electron's `nativeImage`. */
export const nativeImage = throwOnMissing('nativeImage', {
  createFromPath,
  /** Creates an image from a PNG. */
  createFromBuffer: (png: Buffer) => picture(`${EMPTY}${png.toString('base64')}`),
  createFromDataURL: (dataUrl: string) => picture(dataUrl === '' ? EMPTY : dataUrl),
  createEmpty: () => picture(EMPTY),
} satisfies Partial<Record<keyof typeof Electron.nativeImage, unknown>>);

type TrayApi = Pick<Electron.Tray, 'setToolTip' | 'setContextMenu' | 'destroy' | 'isDestroyed'>;

/** Shows a title and an icon (a data URL) in every page; `null` keeps the page's own. */
type ShowTray = (title: string | null, icon: string | null) => void;

/** Returns the icon's data URL; `null` for a template image, because a page has no menu bar that colours it. */
function iconOf(image: Picture | string): string | null {
  const shown = pictureFrom(image);
  return shown.isTemplateImage() ? null : shown.toDataURL();
}

/** Electron's `Tray`: the title and icon of every page. It cannot be clicked. */
export class HostTray extends ElectronEmitter<{ click: [] }> implements TrayApi {
  #title: string | null = null;
  #icon: string | null;
  #destroyed = false;

  constructor(
    private readonly show: ShowTray,
    image: Picture | string,
  ) {
    super('Tray');
    this.#icon = iconOf(image);
    this.#update();
  }

  setImage(image: Picture | string): void {
    this.#icon = iconOf(image);
    this.#update();
  }

  setToolTip(toolTip: string): void {
    this.#title = toolTip;
    this.#update();
  }

  /** Does nothing: a page has no place for the menu. */
  setContextMenu(): void {}

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.show(null, null);
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  #update(): void {
    if (!this.#destroyed) this.show(this.#title, this.#icon);
  }
}

interface NotificationEvents {
  show: [];
  click: [];
  close: [];
}

type NotificationApi = Pick<Electron.Notification, 'show' | 'close'>;
/** The supported options of a notification. */
export type NotificationOptions = Pick<Electron.NotificationConstructorOptions, 'title' | 'body'>;

/** The notifications that pages show, by number. */
export class Notifications {
  readonly #shown = new Map<number, { notification: HostNotification; page: Page }>();
  #lastId = 0;

  /** @param frontmost returns the page that shows the next notification; without one it is dropped. */
  constructor(private readonly frontmost: () => Page | undefined) {}

  show(notification: HostNotification, { title = '', body = '' }: NotificationOptions): void {
    const page = this.frontmost();
    if (page === undefined) return;
    this.#lastId += 1;
    this.#shown.set(this.#lastId, { notification, page });
    page.send(encode(['notify', this.#lastId, title, body]));
  }

  close(notification: HostNotification): void {
    for (const [id, shown] of this.#shown) {
      if (shown.notification === notification) shown.page.send(encode(['dismiss', id]));
    }
  }

  /** Receives an event of a notification from a page. */
  receive(id: number, event: keyof NotificationEvents): void {
    const shown = this.#shown.get(id);
    if (event === 'close') this.#shown.delete(id);
    shown?.notification.emit(event);
  }

  /** A page has disconnected: forgets its notifications. */
  forget(page: Page): void {
    for (const [id, shown] of this.#shown) if (shown.page === page) this.#shown.delete(id);
  }
}

/** Electron's `Notification`: a notification of the browser (permission is requested at the first one), or a note in the page. */
export class HostNotification extends ElectronEmitter<NotificationEvents> implements NotificationApi {
  constructor(
    private readonly notifications: Notifications,
    private readonly options: NotificationOptions,
  ) {
    super('Notification');
  }

  show(): void {
    this.notifications.show(this, this.options);
  }

  close(): void {
    this.notifications.close(this);
  }
}
