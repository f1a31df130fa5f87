import type { Page } from 'playwright-core';

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    /** When the window last received something from main, in the time of `performance.now`. */
    receivedAt: number;
  }
}

/** Records when each document of the page receives something from main. */
export async function watchArrivals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(...options: ConstructorParameters<typeof Native>) {
        super(...options);
        this.addEventListener('message', ({ timeStamp }) => {
          window.receivedAt = timeStamp;
        });
      }
    };
  });
}

/** Waits until a message is painted; returns how long it took from its arrival, in milliseconds. */
export const takeAppendDelay = (page: Page, id: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const isThere = () => document.querySelector(`[data-message-id="${wanted}"]`) !== null;
    while (!isThere()) await new Promise((resolve) => void requestAnimationFrame(resolve));
    const { receivedAt } = window;
    return new Promise<number>((resolve) => {
      const painted = new MessageChannel();
      // The message arrives after the frame that this callback precedes.
      painted.port1.addEventListener('message', ({ timeStamp }) => resolve(timeStamp - receivedAt));
      painted.port1.start();
      painted.port2.postMessage(null);
    });
  }, id);
