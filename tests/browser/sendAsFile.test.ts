import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from './harness/axeViolations.ts';
import { message, snapshot, text } from './harness/message.ts';
import { paste } from './harness/paste.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const icon = (page: Page) => page.getByRole('button', { name: 'Write a message' });
const offer = (page: Page) => page.getByRole('button', { name: 'Send as file' });

/** A text of `length` characters that begins with words. */
const LONG = (length: number) => 'Explain this report to me, please. '.repeat(400).slice(0, length);
const NAME = 'Explain this report to me please Explain.txt';

const sentFile = (name: string, content: string) => [
  'message',
  { category: 'file', text: name, blob: Buffer.from(content).toString('base64') },
];

/** Opens the text box with a text in the window that the tests share. */
async function written(words: string) {
  const window = await sharedWindow();
  const { page } = window;
  await page.keyboard.press('Escape');
  await box(page).waitFor({ state: 'detached' });
  await window.apply(snapshot(message('1', [text('Hello, Ada.')])));
  await page.getByRole('article').waitFor();
  await icon(page).click();
  await box(page).fill(words);
  return window;
}

describe('a text that is too long for a message', () => {
  it('is offered to be sent as a file from 250 characters on', async () => {
    const { page, calls } = await written(LONG(249));
    expect(await offer(page).count()).toBe(0);
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('!');
    await offer(page).waitFor();
    expect(await offer(page).textContent()).toBe('Send as file Alt+Enter');
    expect(await offer(page).getAttribute('aria-keyshortcuts')).toBe('Alt+Enter');
    await page.getByText('250/249', { exact: true }).waitFor();
    const described = ((await box(page).getAttribute('aria-describedby')) ?? '').split(' ').at(-1) ?? '';
    const announced = page.locator(`[id="${described}"]`);
    expect(await announced.textContent()).toBe('Too long for a message. Alt+Enter sends it as a file.');
    expect(await announced.getAttribute('aria-live')).toBe('polite');
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await page.keyboard.press('Backspace');
    await offer(page).waitFor({ state: 'detached' });
    expect(calls).toEqual([]);
  });

  it('is sent as a text file by Alt+Enter, which closes the box; ArrowUp recalls it', async () => {
    const { page, calls } = await written(LONG(300));
    await page.keyboard.press('Alt+Enter');
    expect(await box(page).count()).toBe(0);
    await expect.poll(() => calls).toEqual([sentFile(NAME, LONG(300))]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
    await icon(page).click();
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe(LONG(300));
    await offer(page).click();
    expect(await box(page).count()).toBe(0);
    await expect.poll(() => calls).toEqual([sentFile(NAME, LONG(300)), sentFile(NAME, LONG(300))]);
  });

  it('spec §7 row 10: is refused on Enter with the alert, and offered again after it', async () => {
    const { page, calls } = await written(LONG(250));
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: '250 character limit', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await box(page).inputValue()).toBe(LONG(250));
    expect(calls).toEqual([]);
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => calls).toEqual([sentFile(NAME, LONG(250))]);
  });

  it.each([
    ['emoji, which count as their UTF-16 units', '👋'.repeat(125), 'message.txt'],
    ['Arabic words', 'مرحبا بالعالم '.repeat(20), 'مرحبا بالعالم مرحبا بالعالم مرحبا.txt'],
    ['spaces only', ' '.repeat(250), 'message.txt'],
    ['line breaks', 'one\n\ntwo\n'.repeat(40), 'one two one two one two one two one two.txt'],
  ])('is sent with %s', async (_, words, name) => {
    const { page, calls } = await written(words);
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => calls).toEqual([sentFile(name, words)]);
  });

  it('stays in the box while an input method composes, and when the key is held down after another text', async () => {
    const { page, calls } = await written(LONG(250));
    await box(page).evaluate((element) => {
      for (const fields of [{ isComposing: true }, { repeat: true }]) {
        const enter = { key: 'Enter', altKey: true, bubbles: true, cancelable: true, ...fields };
        element.dispatchEvent(new KeyboardEvent('keydown', enter));
      }
    });
    expect(await box(page).inputValue()).toBe(LONG(250));
    expect(calls).toEqual([]);
  });

  it('closes and drops its text on Escape, and Ctrl+Z restores it with the offer', async () => {
    const { page } = await written(LONG(260));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    expect(await box(page).inputValue()).toBe(LONG(260));
    await offer(page).waitFor();
  });

  it.each([1440, 1024, 420])('is offered within the text box in a window of %i px', async (width) => {
    const { page } = await written(LONG(400));
    await resize(page, width, 720);
    expect(await overflowingElements(page, '.dock *')).toEqual([]);
    const [area, button] = await Promise.all([box(page).boundingBox(), offer(page).boundingBox()]);
    expect((area?.width ?? 0) > 200 && (button?.height ?? 0) >= 36).toBe(true);
    await resize(page, 1280, 720);
  });
});

/** Copies a text from a field, as a person does. */
async function copyText(page: Page, words: string) {
  await page.evaluate((value) => {
    const field = document.body.appendChild(document.createElement('textarea'));
    Object.assign(field, { id: 'copied', value });
    field.select();
  }, words);
  await page.keyboard.press('Control+c');
  await page.evaluate(() => document.querySelector('#copied')?.remove());
  await box(page).focus();
}

describe('a long text that is pasted', () => {
  it('is offered at once, when it opens the box and when it is added to the open box', async () => {
    const { page, calls } = await written('');
    await page.keyboard.press('Escape');
    await paste(page, { text: LONG(1000) });
    await offer(page).waitFor();
    await box(page).fill('Please: ');
    await offer(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Attach a file' }).focus();
    await paste(page, { text: LONG(1000) });
    await page.keyboard.press('Alt+Enter');
    await expect
      .poll(() => calls)
      .toEqual([sentFile('Please Explain this report to me please.txt', `Please: ${LONG(1000)}`)]);
  });

  it('is sent completely when the box holds only its beginning, also after a recall', async () => {
    const { page, calls } = await written('');
    await page.keyboard.press('Escape');
    const pasted = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
    await paste(page, { text: pasted });
    expect(await box(page).inputValue()).toBe(pasted.slice(0, 10_000));
    await page.getByText('“Send as file” sends all of it.').waitFor();
    await page.keyboard.press('Alt+Enter');
    const name = 'line 0 line 1 line 2 line 3 line 4 line.txt';
    await expect.poll(() => calls).toEqual([sentFile(name, pasted)]);
    await icon(page).click();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => calls.slice(1)).toEqual([sentFile(name, pasted)]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('is sent completely when the browser pastes it between other words of the text box', async () => {
    const { page, calls } = await written('👋 Explain:  Thanks.');
    const pasted = Array.from({ length: 3000 }, (_, at) => `👋${at}`).join(' ');
    await copyText(page, pasted);
    await box(page).evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(12, 12));
    await page.keyboard.press('Control+v');
    await expect.poll(async () => (await box(page).inputValue()).length).toBeGreaterThan(9998);
    await page.keyboard.press('Alt+Enter');
    await expect.poll(() => calls.length).toBe(1);
    expect(calls).toEqual([
      sentFile('Explain 0 1 2 3 4 5 6 7 8 9 10 11 12 13.txt', `👋 Explain: ${pasted} Thanks.`),
    ]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('spec §7 row 9, §8 file size: is refused with 1,000,000 bytes and stays in the box', async () => {
    const { page, calls } = await written('');
    await page.keyboard.press('Escape');
    await paste(page, { text: 'é'.repeat(500_000) });
    await page.keyboard.press('Alt+Enter');
    await page.getByRole('alertdialog', { name: 'File must be under 1MB.', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await box(page).inputValue()).toBe('é'.repeat(10_000));
    expect(calls).toEqual([]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });
});
