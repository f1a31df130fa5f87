import type { Page } from 'playwright-core';

/** The person of scenarios with the built-in platform. */
const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };

declare global {
  interface Window {
    /** The ids of messages that the page has received since it was loaded. */
    soakReceived?: string[];
  }
}

/** Registers, or signs in when the account exists, through the page's bridge: without the form. Returns the error, if any. */
export const signInByBridge = (page: Page): Promise<string | undefined> =>
  page.evaluate(async (ada) => {
    const refused = await window.parley.invoke('auth', ada);
    return refused === undefined ? undefined : window.parley.invoke('auth', { ...ada, name: '' });
  }, ADA);

/**
 * Acts as a busy person until the host ends: sends messages, changes preferences, signs out and in. The page keeps the ids
 * of the messages that it receives.
 */
export const startActivity = (page: Page, seed: number): Promise<void> =>
  page.evaluate(
    ({ ada, first }) => {
      let state = first;
      const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
      const received: string[] = [];
      window.soakReceived = received;
      window.parley.on('message', (update: unknown) => {
        const id: unknown = Reflect.get(Object(update), 'id');
        if (typeof id === 'string') received.push(id);
      });
      const act = () => {
        const chance = random();
        if (chance < 0.75) {
          const text = `message ${Math.floor(random() * 1e6)}`;
          window.parley.send('message', { category: 'text', text, blob: null });
        } else if (chance < 0.95) {
          const theme = random() < 0.5 ? 'dark' : 'light';
          window.parleyTools.send('setPreference', { theme });
        } else {
          window.parley.send('logout');
          void window.parley.invoke('auth', { ...ada, name: '' }).catch(() => {});
        }
      };
      setInterval(act, 15);
    },
    { ada: ADA, first: seed },
  );

/** Returns the ids of the messages that the page has received since `startActivity`. */
export const receivedIds = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => window.soakReceived ?? []);
