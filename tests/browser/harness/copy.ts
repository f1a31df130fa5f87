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

/**
 * Presses the keys that copy; returns a function that returns the text that the window writes to the clipboard after the event. `ended`
 * resolves before: the text of a long conversation takes the page some time to send.
 */
export async function startCopy(page: Page) {
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
  return {
    ended: () => page.evaluate(async () => void (await Reflect.get(window, 'testCopied'))),
    text: () =>
      page.evaluate(async () => {
        const copied: unknown = await Reflect.get(window, 'testCopied');
        return copied instanceof Blob ? copied.text() : '';
      }),
  };
}

/** Copies with the keys; returns the text that the window writes to the clipboard after the event. */
export const copyLater = async (page: Page): Promise<string> => (await startCopy(page)).text();
