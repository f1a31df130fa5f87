import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { open, sharedWindow } = setUpSharedWindow();

interface Dropped {
  readonly name: string;
  readonly type: string;
  /** The content, or the number of bytes. */
  readonly content: string | number;
}

/** Returns the shared window without an alert. */
async function conversation() {
  const window = await sharedWindow();
  await window.page.keyboard.press('Escape');
  await window.page.getByRole('alertdialog').waitFor({ state: 'detached' });
  return window;
}

/** Drops files or a text on the element of `selector`; returns whether the page handled the drop itself. */
const drop = (page: Page, selector: string, what: readonly Dropped[] | string): Promise<boolean> =>
  page.locator(selector).evaluate((element, dropped) => {
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

const NOTES: Dropped = { name: 'notes.txt', type: 'text/plain', content: 'notes' };
const CAT: Dropped = { name: 'cat.png', type: 'image/png', content: 'png' };
const LOG = '[role="log"]';

describe('a file on the conversation', () => {
  it('sends a picture as an image with its name', async () => {
    const { page, calls } = await conversation();
    await drop(page, LOG, [CAT]);
    await expect
      .poll(() => calls)
      .toEqual([['message', { category: 'image', text: 'cat.png', blob: 'cG5n' }]]);
  });

  it('spec §4.4 item 2: sends only the first of several files, and says so', async () => {
    const { page, calls } = await conversation();
    await drop(page, LOG, [NOTES, CAT]);
    await page.getByText('Only the first of 2 files was taken.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await drop(page, LOG, [CAT]);
    await expect.poll(() => calls.length).toBe(2);
    expect(calls[0]).toEqual(['message', { category: 'file', text: 'notes.txt', blob: 'bm90ZXM=' }]);
  });

  it('sends all of several files in order when the person has set it', async () => {
    const { page, calls, dispatch } = await conversation();
    await dispatch(preferencesChanged({ sendAllFiles: true }));
    await drop(page, LOG, [NOTES, CAT]);
    await dispatch(preferencesChanged({ sendAllFiles: false }));
    await expect
      .poll(() => calls.map(([, sent]) => sent))
      .toMatchObject([{ text: 'notes.txt' }, { text: 'cat.png' }]);
    expect(await page.getByText('Only the first').count()).toBe(0);
  });

  it("spec §7 row 9: shows the alert 'File must be under 1MB.' for a dropped file of 1,000,000 bytes and sends nothing", async () => {
    const { page, calls } = await conversation();
    await drop(page, LOG, [{ ...NOTES, content: 1_000_000 }]);
    const alert = page.getByRole('alertdialog', { name: 'File must be under 1MB.', exact: true });
    await alert.waitFor();
    expect(await alert.locator('p').textContent()).toBe('File must be under 1MB.');
    await page.keyboard.press('Escape');
    await alert.waitFor({ state: 'detached' });
    expect(calls).toEqual([]);
  });

  it('spec §8 file size: sends a dropped file of 999,999 bytes completely', async () => {
    const { page, calls } = await conversation();
    await drop(page, LOG, [{ ...NOTES, content: 999_999 }]);
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.[1]).toMatchObject({ category: 'file', blob: 'A'.repeat(1_333_332) });
  });

  it('contract §3 alert: shows two alerts one after another for two files that are too large', async () => {
    const { page } = await conversation();
    await drop(page, LOG, [{ ...NOTES, content: 1_000_000 }]);
    await drop(page, LOG, [{ ...NOTES, content: 1_000_000 }]);
    for (const left of [1, 0]) {
      const alert = page.getByRole('alertdialog');
      await expect.poll(() => alert.count()).toBe(1);
      await alert.getByRole('button', { name: 'OK' }).click();
      await expect.poll(() => alert.count()).toBe(left);
    }
  });

  it('sends nothing and does not navigate when an address is dropped instead of a file', async () => {
    const { page, calls } = await conversation();
    expect(await drop(page, LOG, 'https://example.org/')).toBe(true);
    await drop(page, LOG, [CAT]);
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]?.[1]).toMatchObject({ text: 'cat.png' });
  });

  it('shows the drop area over the whole conversation while a file is dragged over the window', async () => {
    const { page } = await conversation();
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'a'));
      document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    });
    const place = page.getByText('Drop a file to send it');
    await place.waitFor();
    const conversationBox = await page.locator('.conversation').boundingBox();
    await expect.poll(() => place.boundingBox()).toEqual(conversationBox);
    await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true })));
    await expect.poll(() => place.count()).toBe(0);
  });
});

describe('a file outside the conversation', () => {
  it('is neither opened nor sent when it is dropped on the splash, the form or the title bar', async () => {
    const { page, calls, account, signedIn } = await open();
    expect(await drop(page, 'main', [CAT])).toBe(true);
    await account(false);
    await page.getByLabel('Email').waitFor();
    expect(await drop(page, 'form', [CAT])).toBe(true);
    expect(await drop(page, 'input >> nth=0', [CAT])).toBe(true);
    await signedIn();
    expect(await drop(page, 'header', [CAT])).toBe(true);
    expect(calls).toEqual([]);
  });

  it('contract §3 file button: sends a file that the button picked, and shows the alert when it is too large', async () => {
    const { page, calls } = await conversation();
    const pick = async (size: number) => {
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach a file' }).click();
      const chooser = await chosen;
      await chooser.setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') });
    };
    await pick(3);
    await expect.poll(() => calls).toEqual([['message', { category: 'file', text: 'a.txt', blob: 'YWFh' }]]);
    await pick(1_000_000);
    await page.getByRole('alertdialog', { name: 'File must be under 1MB.' }).waitFor();
    expect(calls).toHaveLength(1);
  });
});
