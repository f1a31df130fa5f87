import type { Page } from 'playwright-core';
import { item, message } from '#tests/builders/updateOf.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Messenger } from './startMessenger.ts';

/** Returns the message `m<number>`, with a text that starts with the number. */
export const numberedMessage = (number: number, characters = 20): Message =>
  message(`m${number}`, { content: [item(`${number} `.padEnd(characters, 'x'))] });

/** Returns a content item of category `html`. */
export const htmlItem = (html: string): ContentItem => ({ category: 'html', text: null, html, blob: null });

/** Returns the text of a snapshot frame with messages of 100 kB. */
export function snapshotText(megabytes: number, label = 'snapshot'): string {
  const messages = Array.from({ length: megabytes * 10 }, (_, index) => numberedMessage(index + 1, 100_000));
  return JSON.stringify({ person: `Ada ${label}`, messages });
}

/** Pings the messenger after the frames that were sent. Resolves to `false` when the messenger has ended. */
export const answersPing = (socket: PlatformSocket, messenger: Messenger): Promise<boolean> =>
  Promise.race([
    socket.ping().then(() => true),
    // The messenger replaces a socket that has closed.
    socket.closed.then(() => messenger.isRunning()),
    messenger.ended.then(() => false),
  ]);

/** Maximum number of calls in one go after a late timer: the caller must stay responsive. */
const MAX_AT_ONCE = 20;

/**
 * Calls a task at a rate, with the number of the call from 1. A late timer does not delay the calls after it. Returns a
 * function that stops it.
 */
export function callAtRate(perSecond: number, task: (number: number) => void): () => void {
  const start = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    const last = Math.min(due, count + MAX_AT_ONCE);
    while (count < last) task(++count);
  }, 5);
  return () => clearInterval(timer);
}

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
