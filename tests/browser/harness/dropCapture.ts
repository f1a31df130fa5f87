import type { Page } from 'playwright-core';

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
