import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Message, Update } from '#shared/protocol/update.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { appended, message, text } from './harness/message.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const WORDS = ['stop', 'again', 'continue', 'new topic'];

/** Returns a snapshot of an assistant that understands these words. */
const withWords = (words: readonly string[], ...messages: readonly Message[]): Update => {
  const frame = { person: 'Ada Lovelace', messages, words };
  return { kind: 'snapshot', frame };
};

const answer = (context: string, said = 'The answer.') => message('answer', [text(said)], { context });
const label = (context: string): Update => ({ kind: 'context', frame: { context } });

/** Shows an answer with this label in the window that the tests share. */
async function answered(context: string, words = WORDS) {
  const window = await sharedWindow();
  await window.page.keyboard.press('Escape');
  await window.apply(withWords(words, answer(context)));
  await window.page.getByRole('article').waitFor();
  return window;
}

const ROW = '.answer-buttons';
const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Returns the names of the buttons, those at the end of the answer first. */
const names = (page: Page) =>
  page
    .locator(`.label-buttons button, ${ROW} button`)
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? one.textContent));
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

const sentWord = (word: string) => ['message', { category: 'text', text: word, blob: null }];

describe('the buttons about the newest answer', () => {
  it('contract §3 end of an answer: follow its label: Stop after a question and while it runs, then Again, and Continue when it was stopped or cut off', async () => {
    const { page, apply } = await answered('Parley is writing…');
    await expect.poll(() => names(page)).toEqual(['Stop']);
    await apply({ kind: 'text', frame: { text: 'The answer is longer.' } }, label('Parley is writing code…'));
    await expect.poll(() => names(page)).toEqual(['Stop']);
    await apply(label('Parley · stopped'));
    await expect.poll(() => names(page)).toEqual(['Copy', 'Again', 'Continue', 'New topic']);
    await apply(appended(message('echo', [text('stop')], { modifier: 'client', context: 'Ada' })));
    await expect.poll(() => names(page)).toEqual(['Copy', 'Again', 'Continue', 'New topic']);
    await apply(appended(message('question', [text('And now?')], { modifier: 'client', context: 'Ada' })));
    await expect.poll(() => names(page)).toEqual(['Stop']);
    await apply(appended(answer('Parley is thinking…')));
    await expect.poll(() => names(page)).toEqual(['Stop']);
    await apply(label('Parley · cut off'));
    await expect.poll(() => names(page)).toEqual(['Copy', 'Again', 'Continue', 'New topic']);
    await apply(label('Parley · 312 tokens · 38 tokens/s'));
    await expect.poll(() => names(page)).toEqual(['Copy', 'Again', 'New topic']);
  });

  it('send their words as ordinary messages, once for a double click', async () => {
    const { page, apply, calls } = await answered('Parley is writing…');
    await button(page, 'Stop').dblclick();
    await expect.poll(() => calls).toEqual([sentWord('stop')]);
    await apply(label('Parley · stopped'));
    await button(page, 'Continue').click();
    await button(page, 'Again').click();
    await expect.poll(() => calls.slice(1)).toEqual([sentWord('continue'), sentWord('again')]);
  });

  it('are absent, with their row, when the platform names no words', async () => {
    const { page, apply } = await answered('Parley is writing…', []);
    expect(await page.locator(ROW).count()).toBe(0);
    await apply(withWords(['stop'], answer('Parley · stopped')));
    await page.locator(ROW).waitFor();
    expect(await names(page)).toEqual(['Copy']);
  });

  it('leave the focus, the caret and the draft in the text box when the pointer presses them', async () => {
    const { page, calls } = await answered('Parley is writing…');
    await page.keyboard.type('my draft');
    await page.keyboard.press('ArrowLeft');
    await button(page, 'Stop').click();
    await page.keyboard.type('!');
    expect(await box(page).inputValue()).toBe('my draf!t');
    await expect.poll(() => calls).toEqual([sentWord('stop')]);
  });

  it('are reached between the conversation and the text box, pressed once by a key that is held, and give the focus back', async () => {
    const { page, apply, calls } = await answered('Parley is writing…');
    await page.getByRole('log').focus();
    await button(page, 'Stop').focus();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role="log"]') !== null)).toBe(true);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Stop');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Attach a file');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await expect.poll(() => calls).toEqual([sentWord('stop')]);
    await apply(label('Parley · stopped'));
    await button(page, 'Continue').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
    await page.keyboard.type('typed');
    expect(await box(page).inputValue()).toBe('typed');
  });

  it('say why they do nothing without a connection', async () => {
    const { page, disconnected, connected, calls } = await answered('Parley is writing…');
    await disconnected();
    const stop = button(page, 'Stop');
    await expect.poll(() => stop.getAttribute('aria-disabled')).toBe('true');
    const described = (await stop.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Not connected');
    await stop.click({ force: true });
    await stop.focus();
    await page.keyboard.press('Enter');
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
    await connected();
    await expect.poll(() => stop.getAttribute('aria-disabled')).toBe('false');
    expect(calls).toEqual([]);
    await expect.poll(() => page.getByText('Not connected', { exact: true }).count()).toBe(0);
  });

  it('spec §4.4 item 1: Escape closes the text box and stops no answer', async () => {
    const { page, calls } = await answered('Parley is writing…');
    await page.keyboard.type('draft');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await button(page, 'Stop').focus();
    await page.keyboard.press('Escape');
    expect(await box(page).count()).toBe(0);
    expect(calls).toEqual([]);
    expect(await names(page)).toEqual(['Stop']);
  });

  it.each([1440, 1024, 420])(
    'move neither the conversation nor the composer in a window of %i px',
    async (width) => {
      const { page, apply } = await answered('Parley is writing…');
      await resize(page, width, 720);
      const places = () =>
        page.evaluate(() =>
          ['[role="log"]', '.dock', '.composer', 'article'].map((selector) => {
            const {
              x,
              y,
              width: w,
              height,
            } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
            return [selector, x, y, w, height].join(' ');
          }),
        );
      const before = await places();
      await apply(label('Parley · stopped'));
      await button(page, 'Continue').waitFor();
      // The length of the label does not matter here.
      expect((await places()).slice(0, 3)).toEqual(before.slice(0, 3));
      await apply(appended(message('question', [text('And?')], { modifier: 'client', context: 'Ada' })));
      await expect.poll(() => names(page)).toEqual(['Stop']);
      expect((await places()).slice(0, 3)).toEqual(before.slice(0, 3));
      expect(await overflowingElements(page, `${ROW} *`)).toEqual([]);
      await resize(page, 1280, 720);
    },
  );
});

describe('the end of the newest answer', () => {
  it('contract §3 end of an answer: copies the Markdown of the answer as the model wrote it, and says so', async () => {
    const window = await sharedWindow();
    const { page } = window;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const items = ['**Bold** and __init__.\n\n', '- one'].map((said) => ({
      ...text(said),
      format: 'markdown',
    }));
    await window.apply(withWords(WORDS, message('answer', items, { context: 'llama' })));
    await button(page, 'Copy').click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toBe('**Bold** and __init__.\n\n- one');
    await page.locator('[aria-live="polite"]', { hasText: 'Copied' }).waitFor({ state: 'attached' });
  });

  it('contract §3 end of an answer: is no text of the message, and has the actions of other messages while they are used', async () => {
    const window = await answered('Parley');
    const { page, apply } = window;
    expect(await page.getByRole('article').locator('.label').textContent()).toBe('Parley');
    await apply(
      appended(message('question', [text('Why?')], { modifier: 'client', context: 'Ada' })),
      appended(message('second', [text('Because.')], { context: 'Parley' })),
    );
    await page.mouse.move(0, 0);
    await expect.poll(() => names(page)).toEqual(['Copy', 'Again', 'New topic']);
    await page.getByText('Why?').hover();
    const own = page.getByRole('article', { name: 'Ada' });
    await own.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  });

  it('gives the focus of Again, which is reached from the message, to the conversation, and needs a connection', async () => {
    const { page, apply, calls, disconnected, connected } = await answered('Parley');
    await page.getByRole('log').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Copy');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Again');
    await disconnected();
    await expect.poll(() => button(page, 'Again').getAttribute('aria-disabled')).toBe('true');
    expect(await button(page, 'Again').getAttribute('title')).toBe('Not connected');
    await page.keyboard.press('Enter');
    expect(calls).toEqual([]);
    await connected();
    await expect.poll(() => button(page, 'Again').getAttribute('aria-disabled')).toBe('false');
    await page.keyboard.press('Enter');
    await expect.poll(() => calls).toEqual([sentWord('again')]);
    await apply(appended(answer('Parley is thinking…')));
    await button(page, 'Stop').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
  });
});

describe('the placeholder of the text box', () => {
  it('stays the same while the label of an answer changes', async () => {
    const { page, apply } = await answered('Parley is writing…');
    const seen = async () => page.locator('.closed-text-box .placeholder').textContent();
    for (const context of [
      'Parley is thinking…',
      'Parley is writing code, 14 lines…',
      'Parley · 312 tokens · …',
      'Parley · 312 tokens · first after 0.4 s',
      'Parley · stopped',
      'Parley · cut off',
      'Parley',
    ]) {
      await apply(label(context));
      await page.getByRole('log').getByText(context, { exact: true }).waitFor();
      expect([context, await seen()]).toEqual([context, 'Write to Parley']);
    }
  });
});
