import type { Locator, Page } from 'playwright-core';

/** The text box. */
export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
/** Buttons with exactly this name. */
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** The message with this id. */
export const article = (page: Page, id: string) => page.locator(`article[data-message-id="${id}"]`);
/** A message above the text box. */
export const note = (page: Page, words: string) => page.locator('.note', { hasText: words });

export type Emitted = Parameters<Window['fakeMain']['emit']>;

/** Sends a message to the window, as main. */
export const emit = (page: Page, ...args: Emitted) =>
  page.evaluate(([channel, ...contents]) => window.fakeMain.emit(channel, ...contents), args);

/** What main sends with `settings`; the folder of captures has a long name. */
export const SETTINGS = {
  captures: `/home/ada/${'long-'.repeat(40)}`,
  stored: { recorded: { files: 12, bytes: 3_400_000 }, saved: { files: 2, bytes: 812 } },
  assistant: { url: null, model: null },
};

/** Returns the name or the text of the element with the focus. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: one } = document;
    return one?.ariaLabel ?? one?.getAttribute('name') ?? one?.textContent;
  });

/** Returns whether an element has the focus. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement);

/** Presses a key at the element with the focus, at once and as an event of the page; returns whether the window handled it. */
export const dispatchKey = (page: Page, key: string, fields: Record<string, true> = {}): Promise<boolean> =>
  page.evaluate(
    ([pressed, init]) => {
      const event = new KeyboardEvent('keydown', { ...init, key: pressed, bubbles: true, cancelable: true });
      return !(document.activeElement ?? document.body).dispatchEvent(event);
    },
    [key, fields] as const,
  );

/** Types a text as a person does; a name in braces is a key: `typeKeys(page, 'a draft{Escape}')`. */
export async function typeKeys(page: Page, keys: string): Promise<void> {
  for (const [at, part] of keys.split(/\{([^}]+)\}/u).entries())
    await (at % 2 === 0 ? page.keyboard.type(part) : page.keyboard.press(part));
}
