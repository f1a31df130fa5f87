import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { message, snapshot, text } from './harness/message.ts';
import { paste } from './harness/paste.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { open } = setUpSharedWindow();

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const icon = (page: Page) => page.getByRole('button', { name: 'Write a message' });
const caret = (page: Page) => box(page).evaluate((element: HTMLTextAreaElement) => element.selectionStart);

/** Loads a window with one message of the assistant. */
async function conversation() {
  const window = await open();
  await window.signedIn(snapshot(message('1', [text('Hello, Ada.')])));
  await window.page.getByRole('article').waitFor();
  return window;
}

/** Writes a text and presses Enter. */
async function send(page: Page, words: string) {
  await icon(page).click();
  await box(page).fill(words);
  await page.keyboard.press('Enter');
  await box(page).waitFor({ state: 'detached' });
}

const SCREENSHOT = { name: 'image.png', type: 'image/png', size: 3 };
const SENT_SCREENSHOT = ['message', { category: 'image', text: 'image.png', blob: 'AAAA' }];

describe('the placeholder', () => {
  it('names the newest sender of the assistant; a click on it opens the text box', async () => {
    const { page, signedIn, apply } = await open();
    await signedIn(snapshot());
    await page.getByText('Write to the assistant', { exact: true }).waitFor();
    await apply(snapshot(message('1', [text('Hello.')], { context: 'Mr Watson' })));
    await page.getByText('Write to Mr Watson', { exact: true }).click();
    expect(await box(page).getAttribute('placeholder')).toBe('Write to Mr Watson');
    expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('describes the floating icon and the text box with the hint, which the keyboard’s focus shows', async () => {
    const { page } = await conversation();
    const hint = page.locator('.composer-hint');
    expect(await hint.isVisible()).toBe(false);
    expect(await page.locator('.closed-text-box').getAttribute('title')).toBe(await hint.textContent());
    await page.getByRole('button', { name: 'Attach a file' }).focus();
    await page.keyboard.press('Tab');
    expect(await icon(page).evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await hint.isVisible()).toBe(true);
    const words = (await hint.textContent()) ?? '';
    expect(words).toContain('press Enter to send');
    const describedBy = (locator: ReturnType<typeof icon>) =>
      locator.evaluate((element) =>
        (element.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' ')
          .trim(),
      );
    expect(await describedBy(icon(page))).toBe(`Write to Parley ${words}`);
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await describedBy(box(page))).toBe(words);
    expect(await hint.isVisible()).toBe(false);
  });
});

describe('without a connection', () => {
  it('says before a text is sent that it will be lost, and ArrowUp brings the text back', async () => {
    const { page, disconnected, connected, calls } = await conversation();
    const line = page.getByText('Not connected: what you send now is lost.');
    await page.keyboard.type('Are you there?');
    expect(await line.count()).toBe(0);
    await disconnected();
    await line.waitFor();
    expect(await line.getAttribute('aria-live')).toBe('polite');
    const describing = await line.getAttribute('id');
    expect((await box(page).getAttribute('aria-describedby'))?.split(' ')).toContain(describing);
    expect(await box(page).inputValue()).toBe('Are you there?');
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => calls.length).toBe(1);
    expect(await line.count()).toBe(0);
    await icon(page).click();
    await line.waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('Are you there?');
    await connected();
    await line.waitFor({ state: 'detached' });
    expect(await box(page).inputValue()).toBe('Are you there?');
  });
});

describe('recalled texts', () => {
  it('recalls older and newer texts in the empty text box, and moves the caret in a text with more lines', async () => {
    const { page } = await conversation();
    for (const words of ['one', 'two\nlines', 'three']) await send(page, words);
    await icon(page).click();
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('three');
    expect(await caret(page)).toBe(5);
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('two\nlines');
    expect(await caret(page)).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await caret(page)).toBe(4);
    await page.keyboard.press('ArrowUp');
    expect([await box(page).inputValue(), await caret(page)]).toEqual(['two\nlines', 0]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('one');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowDown');
    expect(await box(page).inputValue()).toBe('three');
    await page.keyboard.type('!');
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('three!');
  });

  it('recalls nothing in a text that the person wrote, nor while an input method is composing', async () => {
    const { page } = await conversation();
    await send(page, 'one');
    await page.keyboard.type('draft');
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('draft');
    await box(page).fill('');
    await box(page).evaluate((element) => {
      const up = { key: 'ArrowUp', isComposing: true, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', up));
    });
    expect(await box(page).inputValue()).toBe('');
  });
});

describe('the draft', () => {
  it('survives a reload of the page, and is deleted when the person logs out', async () => {
    const { page, signedIn, account } = await conversation();
    await page.keyboard.type('half of a sentence');
    await page.reload();
    await signedIn();
    expect(await box(page).inputValue()).toBe('half of a sentence');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('account-1');
    await page.keyboard.press('Enter');
    await page.reload();
    await signedIn();
    expect(await box(page).count()).toBe(0);
    await icon(page).click();
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('half of a sentence');
    await account(false);
    await page.getByLabel('Email').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await signedIn();
    expect(await box(page).count()).toBe(0);
    await page.keyboard.type('of account-1');
    await page.reload();
    await account('account-2');
    await icon(page).waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('of account-1');
  });

  it('is restored by Ctrl+Z after Escape dropped it: in the conversation, and in the empty text box', async () => {
    const { page } = await conversation();
    await page.keyboard.type('never mind');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    expect(await box(page).inputValue()).toBe('never mind');
    await page.keyboard.press('Escape');
    await icon(page).click();
    expect(await box(page).inputValue()).toBe('');
    await page.keyboard.press('Control+z');
    expect(await box(page).inputValue()).toBe('never mind');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Escape');
    await send(page, 'another text');
    await page.keyboard.press('Control+z');
    expect(await box(page).count()).toBe(0);
  });
});

describe('pasting a text', () => {
  it('opens the text box with the text of Ctrl+V, and adds it to an open one', async () => {
    const { page } = await conversation();
    await page.keyboard.type('copied');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+v');
    expect(await box(page).inputValue()).toBe('copied');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Attach a file' }).focus();
    await page.keyboard.press('Control+v');
    expect(await box(page).inputValue()).toBe('copiecopiedd');
    await page.keyboard.type('!');
    expect(await box(page).inputValue()).toBe('copiecopied!d');
  });

  it('keeps a text over 250 characters in the box, with the count, and refuses to send it', async () => {
    const { page, calls } = await conversation();
    await paste(page, { text: 'x\r\n'.repeat(200) });
    expect(await box(page).inputValue()).toBe('x\n'.repeat(200));
    await page.getByText('400/249', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: '250 character limit' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await box(page).inputValue()).toBe('x\n'.repeat(200));
    expect(calls).toEqual([]);
  });

  it('cuts a text of 1 MB between two characters, and says so', async () => {
    const { page } = await conversation();
    await paste(page, { text: `x${'👋'.repeat(250_000)}` });
    expect(await box(page).inputValue()).toBe(`x${'👋'.repeat(4999)}`);
    await page
      .getByText('The pasted text is not shown completely: the text box holds 10,000 characters.')
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await box(page).fill('');
    expect(await paste(page, { text: 'x'.repeat(10_001) }, 'textarea')).toBe(false);
    await page.getByText('The pasted text is not shown completely').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await box(page).fill('x'.repeat(9901));
    await paste(page, { text: 'x'.repeat(100) }, 'textarea');
    await page.getByText('The pasted text was cut: the text box holds 10,000 characters.').waitFor();
  });

  it('leaves a paste in a field, a dialog or an alert to them', async () => {
    const { page, account } = await conversation();
    await page.evaluate(() =>
      window.fakeMain.emit('about', { parley: '0', host: '', chromium: '1', node: '', licence: '' }),
    );
    await page.getByRole('dialog').waitFor();
    expect(await paste(page, { text: 'text', files: [SCREENSHOT] })).toBe(false);
    await page.keyboard.press('Escape');
    await account(false);
    expect(await paste(page, { text: 'text' }, 'input >> nth=0')).toBe(false);
  });
});

describe('pasting files', () => {
  it('sends a pasted image, also from the text box, whose text stays', async () => {
    const { page, calls } = await conversation();
    expect(await paste(page, { files: [SCREENSHOT] })).toBe(true);
    await expect.poll(() => calls).toEqual([SENT_SCREENSHOT]);
    await page.keyboard.type('see');
    expect(await paste(page, { files: [SCREENSHOT] }, 'textarea')).toBe(true);
    await expect.poll(() => calls).toEqual([SENT_SCREENSHOT, SENT_SCREENSHOT]);
    expect(await box(page).inputValue()).toBe('see');
  });

  it('pastes the text of a spreadsheet’s cell, which has an image too, and sends a file that the text only names', async () => {
    const { page, calls } = await conversation();
    await paste(page, { text: '42', html: '<table><tr><td>42</table>', files: [SCREENSHOT] });
    expect(await box(page).inputValue()).toBe('42');
    expect(calls).toEqual([]);
    await paste(page, { text: 'image.png', files: [SCREENSHOT] });
    await expect.poll(() => calls).toEqual([SENT_SCREENSHOT]);
    expect(await box(page).inputValue()).toBe('42');
  });

  it('shows the alert for a pasted file of 1,000,000 bytes, and says that the first of several was taken', async () => {
    const { page, calls } = await conversation();
    await paste(page, { files: [{ ...SCREENSHOT, size: 1_000_000 }] });
    const alert = page.getByRole('alertdialog', { name: 'File must be under 1MB.' });
    await alert.waitFor();
    await page.keyboard.press('Escape');
    await alert.waitFor({ state: 'detached' });
    await paste(page, { files: [SCREENSHOT, { ...SCREENSHOT, name: 'second.png' }] });
    await page.getByText('Only the first of 2 files was taken.').waitFor();
    await expect.poll(() => calls).toEqual([SENT_SCREENSHOT]);
  });

  it('sends all pasted files in order when the person has set it in the settings', async () => {
    const { page, calls, dispatch } = await conversation();
    await page.evaluate((contents) => window.fakeMain.emit('settings', contents), {
      captures: '',
      stored: { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } },
    });
    await page.getByRole('switch', { name: 'Send all dropped files' }).click();
    await expect.poll(() => calls).toEqual([['action', preferencesChanged({ sendAllFiles: true })]]);
    await dispatch(preferencesChanged({ sendAllFiles: true }));
    expect(await page.getByRole('switch', { name: 'Send all dropped files' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const names = ['a.txt', 'b.txt', 'c.txt'];
    await paste(page, { files: names.map((name) => ({ name, type: 'text/plain', size: 3 })) });
    await expect
      .poll(() => calls.slice(1).map(([, sent]) => sent))
      .toEqual(names.map((name) => ({ category: 'file', text: name, blob: 'AAAA' })));
    expect(await page.getByText('Only the first').count()).toBe(0);
  });
});
