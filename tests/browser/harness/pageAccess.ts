import { type Page } from 'playwright-core';
import { type WindowStore } from '#renderer/store/createWindowStore.ts';
import { type WindowState } from '#shared/actions/windowSchemas.ts';

/** Returns what a page received on one channel: the arguments of each message. */
export type ChannelMessages = (channel: string) => Promise<unknown[][]>;

/** Listens to all five channels of a page from now on. */
export async function listenToChannels(page: Page): Promise<ChannelMessages> {
  await page.evaluate(async () => {
    // What main has sent before this answer arrives before it: the account of a page that has just loaded or signed out.
    await window.parleySync.fetchState();
    const messages: unknown[][] = [];
    Reflect.set(window, 'testMessages', messages);
    for (const channel of ['account', 'message', 'ws', 'record', 'playback'] as const) {
      window.parley.on(channel, (...args: readonly unknown[]) => void messages.push([channel, ...args]));
    }
    // Main knows that the page listens when it answers a later request.
    await window.parleySync.fetchState();
  });
  return async (channel) => {
    // Fails when the page was reloaded: listen again.
    const all = await page.evaluate<unknown[][]>('testMessages');
    return all.filter(([name]) => name === channel).map((said) => said.slice(1));
  };
}

/** Keeps the directives of the page's policy that are violated from now on in `window.broken`. */
export const recordViolations = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      broken.push(effectiveDirective),
    );
  });

/** The result of a call: its answer, or the text of its error. */
export type Outcome = { readonly answer: unknown } | { readonly error: string };

/** Calls a function of a window's object with any arguments, as a hostile script could: `callPage(page, 'parley.send', 'nav')`. */
export const callPage = (page: Page, path: string, ...args: readonly unknown[]): Promise<Outcome> =>
  page.evaluate<Outcome, { names: string[]; passed: readonly unknown[] }>(
    async ({ names: [object = '', method = ''], passed }) => {
      const api: unknown = Reflect.get(window, object);
      const called: unknown = Reflect.get(Object(api), method);
      if (typeof called !== 'function') throw new Error(`The page has no ${object}.${method}.`);
      try {
        return { answer: await Reflect.apply(called, api, passed) };
      } catch (error) {
        return { error: String(error) };
      }
    },
    { names: path.split('.'), passed: args },
  );

type StoreState = ReturnType<WindowStore['getState']>;

/** Reads the state that a window owns. */
export const readWindowState = async (page: Page): Promise<WindowState> => (await readStoreState(page)).own;

/** Reads the whole state of a window from its store, which its root component has. */
export const readStoreState = (page: Page): Promise<StoreState> =>
  page.evaluate(() => {
    const root = Object(document.getElementById('root'));
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? '';
    // The container's own fiber may be the one that is not shown: its root knows the current one.
    let fiber = root[key].stateNode.current;
    while (fiber.memoizedProps?.store === undefined) fiber = fiber.child;
    return fiber.memoizedProps.store.getState();
  });

/** Runs in a page, without what is outside of it: `split` and `RegExp.test` throw for a text that begins with "poison", like an unknown bug. */
export function poisonPage(): void {
  const { split } = String.prototype;
  // oxlint-disable-next-line no-extend-native
  Object.defineProperty(String.prototype, 'split', {
    value(this: string, ...args: Parameters<typeof split>) {
      if (this.startsWith('poison')) throw new Error('secret words');
      return split.apply(this, args);
    },
  });
  const { test } = RegExp.prototype;
  // oxlint-disable-next-line no-extend-native
  RegExp.prototype.test = function testUnlessPoison(this: RegExp, words: string) {
    // Some callers pass values that are not strings.
    if (typeof words === 'string' && words.startsWith('poison')) throw new Error('secret words');
    return test.call(this, words);
  };
}
