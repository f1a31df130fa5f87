import { readFile } from 'node:fs/promises';
import { type Page } from 'playwright-core';

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

/** Returns the name and the text of the file that an action downloads. */
export async function downloaded(
  page: Page,
  act: () => Promise<unknown>,
): Promise<readonly [string, string]> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')];
}

interface Dropped {
  readonly name: string;
  readonly type: string;
  /** The content, or the number of bytes. */
  readonly content: string | number;
}

/** Drops files, or the address of a page, on an element; returns whether the page handled the drop itself. */
export const drop = (page: Page, selector: string, what: readonly Dropped[] | string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, dropped) => {
      const dataTransfer = new DataTransfer();
      if (typeof dropped === 'string') dataTransfer.setData('text/uri-list', dropped);
      else
        for (const { name, type, content } of dropped) {
          const part = typeof content === 'number' ? new Uint8Array(content) : content;
          dataTransfer.items.add(new File([part], name, { type }));
        }
      const event = (kind: string) => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
      return (
        ['dragenter', 'dragover', 'drop'].map((kind) => !element.dispatchEvent(event(kind))).at(-1) === true
      );
    }, what);

/** Drops a file on the conversation. */
export const dropFile = (page: Page, file: Dropped): Promise<boolean> => drop(page, '[role="log"]', [file]);

/** Drops a file on the page, as soon as the page shows that it takes one. */
export const dropCapture = (page: Page, fileName: string, bytes: Buffer): Promise<void> =>
  page.evaluate(
    async ([file, base64]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      const dispatch = (kind: string) =>
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      while (document.querySelector('.drop-here') === null) {
        dispatch('dragover');
        await new Promise((resolve) => setTimeout(resolve));
      }
      dispatch('drop');
    },
    [fileName, bytes.toString('base64')] as const,
  );
