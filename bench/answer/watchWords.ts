import type { Page } from 'playwright-core';

/** Numbered words: `a1`, `a2` and so on. */
interface Numbered {
  /** The letter before the numbers. Another answer has another one. */
  readonly prefix: string;
  /** The last number. */
  readonly last: number;
}

/** Waits until all the words are in the newest message. Returns when each one was painted, in milliseconds since 1970. */
export const watchWords = (page: Page, numbered: Numbered): Promise<readonly number[]> =>
  page.evaluate(async ({ prefix, last }) => {
    const paintedAt: number[] = [];
    const painted = new MessageChannel();
    const afterFrame = () =>
      new Promise<void>((resolve) => {
        // The message arrives after the frame that this callback precedes.
        painted.port1.addEventListener('message', () => resolve(), { once: true });
        requestAnimationFrame(() => painted.port2.postMessage(null));
      });
    painted.port1.start();
    const words = new RegExp(`${prefix}(\\d+)`, 'gu');
    while (paintedAt.length < last) {
      const text = Array.from(document.querySelectorAll('article')).at(-1)?.textContent ?? '';
      const newest = Number(Array.from(text.matchAll(words)).at(-1)?.[1] ?? 0);
      await afterFrame();
      const now = Date.now();
      while (paintedAt.length < newest) paintedAt.push(now);
    }
    return paintedAt;
  }, numbered);
