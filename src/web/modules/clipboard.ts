import type * as Electron from 'electron';
import { encode } from '../bridge/bridge.ts';
import { onlyWhatIs } from './electronEmitter.ts';
import type { Page } from './page.ts';

interface Write {
  readonly page: Page;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The clipboard, which only a page can reach. */
export class PageClipboard {
  readonly #writes = new Map<number, Write>();
  #lastId = 0;

  /** @param foremost the page that a person looks at. */
  constructor(private readonly foremost: () => Page | undefined) {}

  /** Rejects where there is no page, or its browser does not allow it. */
  async writeText(text: string): Promise<void> {
    const page = this.foremost();
    if (page === undefined) throw new Error('There is no page to write to the clipboard.');
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#writes.set(id, { page, resolve, reject });
      page.send(encode(['copy', id, text]));
    });
  }

  /** A page says what became of it. */
  copied(id: number, isCopied: boolean): void {
    const write = this.#writes.get(id);
    this.#writes.delete(id);
    if (isCopied) write?.resolve();
    else write?.reject(new Error('The browser does not let its page write to the clipboard.'));
  }

  /** A page went, and will say no more. */
  forget(page: Page): void {
    for (const [id, write] of this.#writes) if (write.page === page) this.copied(id, false);
  }
}

/** Electron's `clipboard`. */
export const createClipboard = (clipboard: PageClipboard) =>
  onlyWhatIs('clipboard', {
    writeText: (text: string) => clipboard.writeText(text),
  } satisfies Partial<Electron.Clipboard>);
