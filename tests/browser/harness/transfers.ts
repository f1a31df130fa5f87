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

/** Presses the keys that copy; returns what the window puts into the clipboard, which is empty when it leaves that to the browser. */
export async function copy(page: Page, type = 'text/plain'): Promise<string> {
  // The listener is there before the keys are pressed.
  const copied = await page.evaluateHandle((wanted) => {
    const text = new Promise<string>((resolve) => {
      const read = ({ clipboardData }: ClipboardEvent) => resolve(clipboardData?.getData(wanted) ?? '');
      window.addEventListener('copy', read, { once: true });
    });
    return { text };
  }, type);
  await page.keyboard.press('ControlOrMeta+c');
  return copied.evaluate(({ text }) => text);
}

/** Copies with the keys; returns the text that the window writes to the clipboard after the event. */
export async function copyLater(page: Page): Promise<string> {
  await page.evaluate(() => {
    const written = new Promise<Blob>((resolve, reject) => {
      navigator.clipboard.write = async ([item]) => {
        const text = item?.getType('text/plain');
        text?.then(resolve, reject);
        await text;
      };
    });
    Reflect.set(window, 'testCopied', written);
  });
  await page.keyboard.press('ControlOrMeta+c');
  return page.evaluate<string>('window.testCopied.then((copied) => copied.text())');
}

type Place = readonly [words: string, offset: number];

/** Selects from a place in the text node of the conversation with these words to another one. */
export const selectBetween = (page: Page, from: Place, to: Place): Promise<void> =>
  page.evaluate(
    ([[start, startOffset], [end, endOffset]]) => {
      const log = document.querySelector('.log') ?? document;
      const texts = document.createTreeWalker(log, NodeFilter.SHOW_TEXT);
      const nodes: Node[] = [];
      while (texts.nextNode()) nodes.push(texts.currentNode);
      const [first, last] = [start, end].map((words) => nodes.find((node) => node.nodeValue === words));
      document.getSelection()?.setBaseAndExtent(first ?? log, startOffset, last ?? log, endOffset);
    },
    [from, to] as const,
  );
