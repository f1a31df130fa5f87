import type { HostWindow } from './window.ts';

/** The windows of this process, in the order of their creation. */
export class Windows {
  readonly #open = new Set<HostWindow>();
  #lastId = 0;

  /** The address for `/` (of the first window), and the preload, which is the same for all windows. */
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

  /** Sets what is served; the first call decides. */
  serve(url: string, preload: string | undefined): void {
    if (this.served.url === '') this.served = { url, preload };
  }

  /** Returns a window with this address that waits for a page, a visible one first. */
  waiting(url: string): HostWindow | undefined {
    const waiting = this.all().filter(
      ({ page, webContents }) => page === null && webContents.getURL() === url,
    );
    return waiting.find((window) => window.isVisible()) ?? waiting[0];
  }

  /** Requests each window to close; returns false when one prevents it. */
  close(): boolean {
    for (const window of this.all()) window.close();
    return this.#open.size === 0;
  }

  destroy(): void {
    for (const window of this.all()) window.destroy();
  }
}
