import type { Page } from 'playwright-core';

declare global {
  interface Window {
    soakArrivals?: {
      /** Characters that the page has received on its sockets since it was loaded. */
      received: number;
      /** The same at the moment at which a message entered the document, by the message's id. */
      readonly shown: Record<string, number>;
    };
  }
}

/** A script for `openPage` that counts what the page receives before it shows a message. */
export const ARRIVALS_SCRIPT = `(${String(countArrivals)})()`;

/** Runs in the page, so it uses nothing from outside. */
function countArrivals(): void {
  const arrivals: NonNullable<Window['soakArrivals']> = { received: 0, shown: {} };
  window.soakArrivals = arrivals;
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(...args: ConstructorParameters<typeof Original>) {
      super(...args);
      this.addEventListener('message', ({ data }) => (arrivals.received += String(data).length));
    }
  };
  const observer = new MutationObserver(() => {
    for (const article of document.querySelectorAll<HTMLElement>('article[data-message-id]'))
      arrivals.shown[article.dataset['messageId'] ?? ''] ??= arrivals.received;
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** Returns the number of characters that a page has received since it was loaded. */
export const receivedCharacters = (page: Page): Promise<number> =>
  page.evaluate(() => window.soakArrivals?.received ?? 0);

/** Returns the number of characters that a page had received when it first showed a message. */
export const receivedWhenShown = (page: Page, id: string): Promise<number> =>
  page.evaluate((shown) => window.soakArrivals?.shown[shown] ?? Infinity, id);
