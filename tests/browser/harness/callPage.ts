import type { Page } from 'playwright-core';

/** The result of a call: its answer, or the text of its error. */
export type Outcome = { readonly answer: unknown } | { readonly error: string };

/**
 * Calls any function of one of the window's objects in the page, with any arguments, as a hostile script could.
 * `callPage(page, 'parley.send', 'nav', 'close')`
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
