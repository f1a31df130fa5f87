import type { HostWindow } from './window.ts';

/** The windows of this process, in the order in which they were made. */
export class Windows {
  readonly #open = new Set<HostWindow>();
  #lastId = 0;

  /** What is served to every page: the first window's address, for `/`, and its preload, for all of them have the same. */
  served: { readonly url: string; readonly preload: string | undefined } = { url: '', preload: undefined };

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  add(window: HostWindow): void {
    this.#open.add(window);
  }

  /** @returns whether it was the last one. */
  remove(window: HostWindow): boolean {
    this.#open.delete(window);
    return this.#open.size === 0;
  }

  all(): HostWindow[] {
    return [...this.#open];
  }

  /** A window is to show this address. */
  serve(url: string, preload: string | undefined): void {
    if (this.served.url === '') this.served = { url, preload };
  }

  /** A window that shows this address and waits for a page, one that is visible first. */
  waiting(url: string): HostWindow | undefined {
    const waiting = this.all().filter(
      ({ page, webContents }) => page === null && webContents.getURL() === url,
    );
    return waiting.find((window) => window.isVisible()) ?? waiting[0];
  }

  /** Asks each to close; false when one will not. */
  close(): boolean {
    for (const window of this.all()) window.close();
    return this.#open.size === 0;
  }

  destroy(): void {
    for (const window of this.all()) window.destroy();
  }
}
