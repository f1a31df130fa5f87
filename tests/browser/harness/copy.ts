import type { Page } from 'playwright-core';

/** Presses the keys that copy; returns the text that the window puts into the clipboard, which is empty when it leaves that to the browser. */
export async function copy(page: Page): Promise<string> {
  const copied = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const read = ({ clipboardData }: ClipboardEvent) =>
          resolve(clipboardData?.getData('text/plain') ?? '');
        window.addEventListener('copy', read, { once: true });
      }),
  );
  await page.keyboard.press('ControlOrMeta+c');
  return copied;
}
