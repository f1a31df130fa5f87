import type { Page } from 'playwright-core';

/** What a call came to: its answer, or the words of its error. */
export type Outcome = { readonly answer: unknown } | { readonly error: string };

/**
 * Calls, in the page, any function of one of the window's objects with any arguments, as a hostile script could.
 * `call(page, 'parley.send', 'nav', 'close')`
 */
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
