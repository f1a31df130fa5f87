import type { Page } from 'playwright-core';

/** Drops a file on the page. */
export const dropCapture = (page: Page, fileName: string, bytes: Buffer): Promise<void> =>
  page.evaluate(
    ([file, base64]) => {
      const content = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], file));
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [fileName, bytes.toString('base64')] as const,
  );
