import type * as Electron from 'electron';
import { encodeForPage } from '../bridge/bridge.ts';
import { ElectronEmitter, PreventableEvent } from './electronEmitter.ts';
import type { Page } from './page.ts';
import { originOf } from './protocol.ts';

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
