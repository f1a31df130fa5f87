import type * as Electron from 'electron';
import {
  type WindowState,
  encode,
  encodeForPage,
  type BridgeSocket,
  type Encoded,
} from '../bridge/bridge.ts';
import { ElectronEmitter, PreventableEvent } from './electronEmitter.ts';
import { originOf } from './protocol.ts';

interface WindowEvents {
  close: [event: PreventableEvent];
  closed: [];
  'ready-to-show': [];
  show: [];
  hide: [];
  minimize: [];
  restore: [];
  focus: [];
  blur: [];
}

type WindowApi = Pick<
  Electron.BrowserWindow,
  | 'id'
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'isFocused'
  | 'close'
  | 'destroy'
  | 'minimize'
  | 'restore'
  | 'isMinimized'
  | 'isVisible'
  | 'isDestroyed'
  | 'setTitle'
  | 'getTitle'
>;

/** The options that apply to a page; the browser decides the others. */
export type WindowOptions = Pick<
  Electron.BrowserWindowConstructorOptions,
  'show' | 'title' | 'webPreferences'
>;

/** The parts of the host that a window uses. */
interface WindowDeps {
  readonly id: number;
  /** Serves the address with this preload file; resolves when a browser can load it. */
  readonly serve: (url: string, preload: string | undefined) => Promise<void>;
  /** Shows the window: a new one, or an existing one again. */
  readonly present: (window: HostWindow, how: 'new' | 'again') => void;
  readonly created: (window: HostWindow) => void;
  readonly closed: (window: HostWindow) => void;
}

/**
 * Electron's `BrowserWindow`, shown by a page in a browser tab. It has at most one page at a time, and outlives it.
 *
 *   hidden ◀─ hide() ── shown ── minimize() ─▶ minimised         close(), unless prevented,
 *      └──── show() ──▶   ▲ └────── restore() ─────┘             and destroy(): destroyed, from any state
 */
export class HostWindow extends ElectronEmitter<WindowEvents> implements WindowApi {
  readonly id: number;
  readonly #contents: WebContents;
  readonly #preload: string | undefined;
  #title: string;
  #visible: boolean;
  #minimized = false;
  #destroyed = false;

  constructor(
    private readonly deps: WindowDeps,
    options: WindowOptions,
  ) {
    super('BrowserWindow');
    this.id = deps.id;
    this.#contents = new WebContents(deps.id);
    this.#preload = options.webPreferences?.preload;
    this.#title = options.title ?? '';
    this.#visible = options.show ?? true;
    deps.created(this);
  }

  get webContents(): WebContents {
    return this.#contents;
  }

  get page(): Page | null {
    return this.#contents.page;
  }

  /** Resolves when a browser can load the address; `did-finish-load` follows when one has loaded it. */
  async loadURL(url: string): Promise<void> {
    this.#contents.navigate(url);
    await this.deps.serve(url, this.#preload);
    this.deps.present(this, 'new');
  }

  show(): void {
    this.#change('show', !this.#visible, () => (this.#visible = true));
  }

  hide(): void {
    this.#change('hide', this.#visible, () => (this.#visible = false));
  }

  minimize(): void {
    this.#change('minimize', !this.#minimized, () => (this.#minimized = true));
  }

  restore(): void {
    this.#change('restore', this.#minimized, () => (this.#minimized = false));
  }

  /** Brings the tab to the front. Only the page that opened a tab can do this. */
  focus(): void {
    this.deps.present(this, 'again');
  }

  isFocused(): boolean {
    return this.page?.hasFocus ?? false;
  }

  isVisible(): boolean {
    return this.#visible && !this.#destroyed;
  }

  isMinimized(): boolean {
    return this.#minimized;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Stores the title; a page shows the tray's title instead. */
  setTitle(title: string): void {
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  close(): void {
    if (this.#destroyed) return;
    const event = new PreventableEvent();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }

  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.page?.dismiss('closed');
    this.#contents.page = null;
    this.#contents.destroy();
    this.emit('closed');
    this.deps.closed(this);
  }

  /** Makes this page show the window. */
  adopt(page: Page): void {
    this.#contents.page = page;
    this.#updatePage();
  }

  /** The page was closed or reloads: the window waits for the next page. */
  abandon(): void {
    this.#contents.lost();
  }

  /** The page's document has loaded. */
  loaded(): void {
    this.#contents.loaded();
    this.emit('ready-to-show');
  }

  #change(event: 'show' | 'hide' | 'minimize' | 'restore', isNew: boolean, change: () => void): void {
    if (this.#destroyed || !isNew) return;
    change();
    this.#updatePage();
    this.emit(event);
  }

  #updatePage(): void {
    this.page?.send(encode(['window', this.#state()]));
  }

  #state(): WindowState {
    if (!this.#visible) return 'hidden';
    return this.#minimized ? 'minimized' : 'shown';
  }
}

interface WebContentsEvents {
  'dom-ready': [];
  'did-finish-load': [];
  'render-process-gone': [event: PreventableEvent, details: { reason: 'killed'; exitCode: 0 }];
  destroyed: [];
}

type WebContentsApi = Pick<
  Electron.WebContents,
  'id' | 'send' | 'getURL' | 'isDestroyed' | 'setWindowOpenHandler'
>;

/** The address of a document as main sees it: the app's own address and not the browser's. */
export interface Frame {
  readonly url: string;
  readonly origin: string;
}

/** Electron's `webContents` of a window: sends to its current page. */
export class WebContents extends ElectronEmitter<WebContentsEvents> implements WebContentsApi {
  #frame: Frame = { url: '', origin: '' };
  #destroyed = false;
  /** The window's page; messages without a page are dropped. */
  page: Page | null = null;

  constructor(readonly id: number) {
    super('webContents');
  }

  /**
   * Sends a message to the page.
   * @throws {Error} `An object could not be cloned.`
   */
  send(channel: string, ...args: unknown[]): void {
    const message = encodeForPage(['send', channel], args);
    this.page?.send(message);
  }

  getURL(): string {
    return this.#frame.url;
  }

  /** The same object while the address stays the same, so that main can compare it with a message's frame. */
  get mainFrame(): Frame {
    return this.#frame;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Does nothing: a browser opens links without asking. The pages' links have `rel=noopener`. */
  setWindowOpenHandler(): void {}

  /** The page's document has loaded. */
  loaded(): void {
    this.emit('dom-ready');
    this.emit('did-finish-load');
  }

  /** The page has disconnected. */
  lost(): void {
    this.page = null;
    this.emit('render-process-gone', new PreventableEvent(), { reason: 'killed', exitCode: 0 });
  }

  /** Sets the address that the window shows. */
  navigate(url: string): void {
    this.#frame = { url, origin: originOf(url) };
  }

  destroy(): void {
    this.#destroyed = true;
    this.emit('destroyed');
  }
}

/** A connected browser tab. */
export class Page {
  hasFocus = false;

  /** @param path the path that the tab shows. */
  constructor(
    private readonly socket: BridgeSocket,
    readonly path: string,
  ) {}

  send(message: Encoded): void {
    if (this.socket.isOpen()) this.socket.send(message);
  }

  /** Notifies the page that it shows no window. It stays connected, so that it notices the end of the host. */
  dismiss(why: 'closed' | 'refused'): void {
    this.send(encode(['window', why]));
  }
}
