import type * as Electron from 'electron';
import { encode } from '../bridge/bridge.ts';
import { throwOnMissing } from './electronEmitter.ts';
import type { Page } from './page.ts';

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
