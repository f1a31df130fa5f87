import type { Page } from 'playwright-core';

interface Dropped {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** Drops a file on the conversation. */
export const dropFile = (page: Page, file: Dropped): Promise<void> =>
  page.getByRole('log').evaluate((log, { name, type, content }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name, { type }));
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      log.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, file);
