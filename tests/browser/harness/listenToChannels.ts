import type { Page } from 'playwright-core';

/** Returns what a page received on one channel: the arguments of each message. */
export type ChannelMessages = (channel: string) => Promise<unknown[][]>;

/** Listens to all five channels of a page from now on. */
export async function listenToChannels(page: Page): Promise<ChannelMessages> {
  await page.evaluate(async () => {
    const messages: unknown[][] = [];
    Reflect.set(window, 'testMessages', messages);
    for (const channel of ['account', 'message', 'ws', 'record', 'playback'] as const) {
      window.parley.on(channel, (...args: readonly unknown[]) => void messages.push([channel, ...args]));
    }
    // Main knows that the page listens when it answers a later request.
    await window.parleySync.fetchState();
  });
  return async (channel) => {
    const all: unknown = await page.evaluate<unknown>('testMessages');
    if (!Array.isArray(all)) throw new Error('The page was reloaded: listen again.');
    return all.filter((said: unknown[]) => said[0] === channel).map((said: unknown[]) => said.slice(1));
  };
}
