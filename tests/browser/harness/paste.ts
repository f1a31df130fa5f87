import type { Page } from 'playwright-core';

/** What is pasted. */
export interface Pasted {
  readonly text?: string;
  readonly html?: string;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly size: number }[];
}

/** Pastes what a page cannot put into the clipboard without a permission. Returns whether the window handled it itself. */
export const paste = (page: Page, pasted: Pasted, selector = '[role="log"]'): Promise<boolean> =>
  page.locator(selector).evaluate((element, { text: plain, html, files = [] }) => {
    const clipboardData = new DataTransfer();
    if (plain !== undefined) clipboardData.setData('text/plain', plain);
    if (html !== undefined) clipboardData.setData('text/html', html);
    for (const { name, type, size } of files)
      clipboardData.items.add(new File([new Uint8Array(size)], name, { type }));
    return !element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, pasted);
