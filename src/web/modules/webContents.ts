import type * as Electron from 'electron';
import { encodeWith } from '../bridge/bridge.ts';
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

/** Where a document is from, as main sees it: the app's own address and not the browser's. */
export interface Frame {
  readonly url: string;
  readonly origin: string;
}

/** Electron's `webContents` of a window: its page, whichever that is at the time. */
export class WebContents extends ElectronEmitter<WebContentsEvents> implements WebContentsApi {
  #frame: Frame = { url: '', origin: '' };
  #destroyed = false;
  /** Its window's page; what is sent without one is dropped. */
  page: Page | null = null;

  constructor(readonly id: number) {
    super('webContents');
  }

  /** @throws {Error} `An object could not be cloned.` */
  send(channel: string, ...args: unknown[]): void {
    const message = encodeWith(['send', channel], args);
    this.page?.send(message);
  }

  getURL(): string {
    return this.#frame.url;
  }

  /** The same object for as long as the address is: who sent a message is told by it. */
  get mainFrame(): Frame {
    return this.#frame;
  }

  isDestroyed(): boolean {
    return this.#destroyed;
  }

  /** Nothing to do: a browser asks nobody before it opens a link. The pages' links have `rel=noopener`. */
  setWindowOpenHandler(): void {}

  /** The page's document has loaded. */
  loaded(): void {
    this.emit('dom-ready');
    this.emit('did-finish-load');
  }

  /** The page is gone, and what ran in it. */
  lost(): void {
    this.page = null;
    this.emit('render-process-gone', new PreventableEvent(), { reason: 'killed', exitCode: 0 });
  }

  /** Its window is to show this address. */
  navigate(url: string): void {
    this.#frame = { url, origin: originOf(url) };
  }

  destroy(): void {
    this.#destroyed = true;
    this.emit('destroyed');
  }
}
