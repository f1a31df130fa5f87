import type { Page } from 'playwright-core';

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
