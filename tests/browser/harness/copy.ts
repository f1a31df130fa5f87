import type { Page } from 'playwright-core';

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
  return page.evaluate(async () => {
    const copied: unknown = await Reflect.get(window, 'testCopied');
    return copied instanceof Blob ? copied.text() : '';
  });
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
