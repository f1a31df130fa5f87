import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { box, isFocused, note, typeKeys } from './harness/elements.ts';
import { message, snapshot, text } from './harness/message.ts';
import { paste } from './harness/transfers.ts';
import { setUpWindows } from './harness/renderer.ts';

const { sharedWindow } = setUpWindows();

/** Shows one message and no text box. */
async function conversation() {
  const window = await sharedWindow();
  await box(window.page).waitFor({ state: 'detached' });
  await window.apply(snapshot(message('1', [text('Hello, Ada.')])));
  await window.page.getByRole('article').waitFor();
  return window;
}

const icon = (page: Page) => page.getByRole('button', { name: 'Write a message' });
const offer = (page: Page) => page.getByRole('button', { name: 'Send as file' });
const value = (page: Page) => box(page).inputValue();
const caret = (page: Page) => box(page).evaluate((element: HTMLTextAreaElement) => element.selectionStart);

const sent = (words: string) => ['message', { category: 'text', text: words, blob: null }];

/** Pastes a text with the keys. */
async function pasteWithKeys(page: Page, words: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), words);
  await page.keyboard.press('Control+v');
}

const dismiss = (page: Page) => page.getByRole('button', { name: 'Dismiss' }).click();

it('contract §3 floating icon, text box: opens with a click, and with the first character, of which none is lost', async () => {
  const { page } = await conversation();
  expect(await icon(page).textContent()).toBe('AL');
  await icon(page).click();
  expect([await value(page), await isFocused(box(page))]).toEqual(['', true]);
  await typeKeys(page, '{Escape}Hello there, assistant.');
  expect(await value(page)).toBe('Hello there, assistant.');
  await page.keyboard.press('Escape');
  expect(await box(page).count()).toBe(0);
  await page.getByText('Write to Parley', { exact: true }).click();
  expect(await isFocused(box(page))).toBe(true);
});

it('spec §4.4 item 1: Escape closes and clears it, Backspace closes on the last character, Enter sends and closes, and the focus returns to the conversation; Ctrl+Z restores a text after Escape, and the arrow keys recall those that were sent', async () => {
  const { page, called } = await conversation();
  await typeKeys(page, 'never mind{Escape}{Control+Shift+z}');
  expect(await box(page).count()).toBe(0);
  await page.keyboard.press('Control+z');
  expect(await value(page)).toBe('never mind');
  await page.keyboard.press('Escape');
  await icon(page).click();
  await page.keyboard.press('Control+z');
  expect(await value(page)).toBe('never mind');
  await typeKeys(page, '{Control+a}{Backspace}');
  expect(await value(page)).toBe('');
  await typeKeys(page, 'a{Backspace}');
  expect(await box(page).count()).toBe(0);
  await typeKeys(page, 'two{Shift+Enter}lines');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('[role="log"]:focus').waitFor();
  expect(await box(page).count()).toBe(0);
  await typeKeys(page, 'three{Enter}');
  await box(page).waitFor({ state: 'detached' });
  expect(await called(2)).toEqual([sent('two\nlines'), sent('three')]);
  expect(await page.getByRole('article').count()).toBe(1);
  await page.keyboard.press('Control+z');
  expect(await box(page).count()).toBe(0);
  await icon(page).click();
  // Within a text of more lines, they move the caret first.
  const states: unknown[] = [];
  for (const key of ['Up', 'Up', 'Down', 'Up']) {
    await page.keyboard.press(`Arrow${key}`);
    states.push(`${await value(page)}: ${await caret(page)}`);
  }
  expect(states).toEqual(['three: 5', 'two\nlines: 0', 'two\nlines: 4', 'two\nlines: 0']);
  await typeKeys(page, '{Control+End}{ArrowDown}');
  expect(await value(page)).toBe('three');
  // With a selection, they end it.
  await typeKeys(page, '{Control+a}{ArrowUp}');
  expect(await value(page)).toBe('three');
});

it('spec §7 row 10, §8 text length, contract §3 250 characters: a text is sent with 249 characters; for 250, an alert keeps the text, the caret and the keys', async () => {
  const { page, calls, called } = await conversation();
  await icon(page).click();
  await box(page).fill('x'.repeat(250));
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const alert = page.getByRole('alertdialog', { name: '250 character limit', exact: true });
  expect(await alert.locator('p').textContent()).toBe('250 character limit');
  await page.keyboard.press('y');
  // In one task: the dialog's `close` event is a later one.
  await box(page).evaluate((element: HTMLTextAreaElement) => {
    const escape = { key: 'Escape', bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', escape));
    element.setRangeText('z', element.selectionStart, element.selectionEnd, 'end');
    element.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await alert.waitFor({ state: 'detached' });
  expect([await value(page), await caret(page), calls]).toEqual([`${'x'.repeat(250)}z`, 251, []]);
  await page.keyboard.press('Backspace');
  await page.getByText('250/249', { exact: true }).waitFor();
  // A key that is held down shows one alert, and closes it.
  for (let count = 0; count < 3; count++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await alert.waitFor({ state: 'detached' });
  await page.keyboard.press('Backspace');
  expect(await offer(page).count()).toBe(0);
  await page.keyboard.press('Enter');
  expect(await called(1)).toEqual([sent('x'.repeat(249))]);
});

it('a text is shown in whole lines, within the box, and with what happens to it without a connection', async () => {
  const { page, disconnected, connected } = await conversation();
  await icon(page).click();
  await box(page).fill('line\n'.repeat(12));
  const { lines, space } = await box(page).evaluate((element) => {
    const inner = element.getBoundingClientRect();
    const { top, bottom } = element.parentElement?.getBoundingClientRect() ?? inner;
    const { lineHeight, paddingTop } = getComputedStyle(element);
    return {
      lines: (element.clientHeight - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight),
      space: Math.min(inner.top - top, bottom - inner.bottom),
    };
  });
  expect(lines).toBeCloseTo(6, 1);
  expect(space).toBeGreaterThan(10);
  await disconnected();
  const line = page.getByText('Not connected: what you send now is lost.');
  await line.waitFor();
  const describedBy = ((await box(page).getAttribute('aria-describedby')) ?? '').split(' ');
  expect(describedBy).toContain(await line.getAttribute('id'));
  expect(await value(page)).toBe('line\n'.repeat(12));
  await connected();
  await line.waitFor({ state: 'detached' });
});

it('a pasted text opens the text box, or is inserted at the caret of the open one, also while another element has the focus; it is cut between two characters at 10,000 characters, with a note, where what it replaces makes room for it, and sent completely as a file', async () => {
  const { page, called } = await conversation();
  await pasteWithKeys(page, 'copied');
  expect(await value(page)).toBe('copied');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Attach a file' }).focus();
  await typeKeys(page, '{Control+v}!');
  expect(await value(page)).toBe('copiecopied!d');
  await page.keyboard.press('Escape');
  await paste(page, { text: `x${'👋'.repeat(250_000)}` });
  expect(await value(page)).toBe(`x${'👋'.repeat(4999)}`);
  await note(page, 'is not shown completely: the text box holds 10,000 characters.').waitFor();
  await dismiss(page);
  await box(page).fill('a'.repeat(9000));
  await page.keyboard.press('Control+a');
  await pasteWithKeys(page, 'b'.repeat(6000));
  expect(await value(page)).toBe('b'.repeat(6000));
  expect(await page.locator('.note').textContent()).toBe('');
  await box(page).fill('');
  await box(page).focus();
  await page.keyboard.press('Escape');
  const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
  await paste(page, { text: lines });
  expect(await value(page)).toBe(lines.slice(0, 10_000));
  await note(page, '“Send as file” sends all of it.').waitFor();
  await offer(page).click();
  const name = 'line 0 line 1 line 2 line 3 line 4 line.txt';
  const blob = Buffer.from(lines).toString('base64');
  expect(await called(1)).toEqual([['message', { category: 'file', text: name, blob }]]);
  expect(await box(page).count()).toBe(0);
  await dismiss(page);
});
