import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Message, Update } from '#shared/protocol/update.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { appended, message, text } from './harness/message.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const notice = (id: string, words: string, fields: object = {}): Message =>
  message(id, [text(words)], Object.assign({ modifier: 'admin', context: '' }, { notice: true }, fields));

const divider = (id: string, words = 'New topic'): Message =>
  message(id, [text(words)], Object.assign({ modifier: 'admin', context: '' }, { divider: true }));

const withWords = (words: readonly string[], ...messages: readonly Message[]): Update => ({
  kind: 'snapshot',
  frame: Object.assign({ person: 'Ada Lovelace', messages }, { words }),
});

/** Shows these messages in the window that the tests share. */
async function shown(...messages: readonly Message[]) {
  const window = await sharedWindow();
  await window.apply(withWords(['stop', 'again', 'continue', 'new topic'], ...messages));
  await window.page
    .getByRole('article')
    .nth(messages.length - 1)
    .waitFor();
  return window;
}

const line = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });
const button = (page: Page, words: string) => line(page, words).locator('.notice-button');
const sentWord = (word: string) => ['message', { category: 'text', text: word, blob: null }];
/** A message that was sent at a minute of one hour. */
const sent = (id: string, minute: number, fields: Message) =>
  message(
    id,
    [text(id)],
    Object.assign({ time: new Date(Date.UTC(2026, 5, 1, 11, minute)).toISOString() }, fields),
  );
const QUESTION = message('q', [text('Why?')], { modifier: 'client', context: 'Ada' });

describe('a notice', () => {
  it('contract §3 notice: is a message named Notice with its text and at most one button', async () => {
    const { page } = await shown(
      notice('1', 'A filter ended it.'),
      notice('2', 'It needs a key.', { action: 'settings' }),
    );
    const first = line(page, 'A filter ended it.');
    expect(await first.getAttribute('data-message-id')).toBe('1');
    expect(await first.getAttribute('data-modifier')).toBe('admin');
    expect(await first.locator('[data-category="text"]').getAttribute('data-position')).toBe('none');
    expect(await page.getByRole('article', { name: 'Notice' }).count()).toBe(2);
    expect(await button(page, 'A filter ended it.').count()).toBe(0);
    expect(await button(page, 'It needs a key.').allTextContents()).toEqual(['Open settings']);
  });

  it.each([
    ['again', 'Again'],
    ['continue', 'Continue'],
    ['cancel', 'Cancel'],
  ])(
    'contract §3 notice: sends the word %s with its button %s, once for a double click',
    async (action, name) => {
      const { page, calls } = await shown(QUESTION, notice('1', 'The server is busy.', { action }));
      const act = line(page, 'The server is busy.').getByRole('button', { name, exact: true });
      await act.dblclick();
      await expect.poll(() => calls).toEqual([sentWord(action)]);
    },
  );

  it('opens the settings of the assistant, also without a connection; its words need one', async () => {
    const { page, calls, disconnected, connected } = await shown(
      notice('1', 'It needs a key.', { action: 'settings' }),
      notice('2', 'It failed.', { action: 'again' }),
    );
    await disconnected();
    await expect.poll(() => button(page, 'It failed.').getAttribute('aria-disabled')).toBe('true');
    expect(await button(page, 'It failed.').getAttribute('title')).toBe('Not connected');
    await button(page, 'It failed.').click({ force: true });
    await button(page, 'It needs a key.').click();
    await expect
      .poll(() => calls)
      .toEqual([['action', expect.objectContaining({ payload: { dialog: 'assistant' } })]]);
    await connected();
  });

  it('offers its button at the end of the conversation, and only the newest of its kind does', async () => {
    const { page, apply, calls } = await shown(
      notice('1', 'First failure.', { action: 'again' }),
      notice('2', 'It needs a key.', { action: 'settings' }),
      notice('3', 'Second failure.', { action: 'again' }),
    );
    const disabled = () =>
      page
        .locator('.notice-button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-disabled')));
    expect(await disabled()).toEqual(['true', 'false', 'false']);
    await button(page, 'Second failure.').focus();
    await apply(appended(QUESTION));
    await expect.poll(disabled).toEqual(['true', 'true', 'true']);
    await page.keyboard.press('Enter');
    expect(calls).toEqual([]);
  });

  it('is found, and its text and its button are in the view at each width', async () => {
    const long = `The model got the first 14,000 of 25,000 characters of ${'report-'.repeat(20)}.txt.`;
    const { page } = await shown(
      notice('1', long, { action: 'continue' }),
      divider('2', 'New topic '.repeat(20)),
    );
    for (const width of [420, 760, 1280]) {
      await resize(page, width, 720);
      expect(await overflowingElements(page, 'article *')).toEqual([]);
    }
    await page.keyboard.press('Control+f');
    await page.keyboard.type('25,000');
    await page.getByText('1 of 1').waitFor();
    await page.keyboard.press('Escape');
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  });
});

describe('a divider', () => {
  it('contract §3 divider: is a message with a separator that is named by its text', async () => {
    const { page } = await shown(message('1', [text('Hello.')]), divider('2'));
    const separator = page.getByRole('separator', { name: 'New topic' });
    expect(await separator.locator('xpath=ancestor::article').getAttribute('data-message-id')).toBe('2');
    expect(await page.getByRole('button', { name: 'New topic' }).count()).toBe(0);
  });

  it('contract §3 new topic: is requested with the button New topic, which is offered after an answer and not while it runs', async () => {
    const { page, apply, calls } = await shown(
      QUESTION,
      message('1', [text('It')], { context: 'qwen is writing…' }),
    );
    const request = page.getByRole('button', { name: 'New topic', exact: true });
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    expect(await request.count()).toBe(0);
    await apply({ kind: 'context', frame: { context: 'qwen' } });
    await request.click();
    await expect.poll(() => calls).toEqual([sentWord('new topic')]);
    await apply(appended(divider('2')));
    await request.waitFor({ state: 'detached' });
    await apply(withWords(['again'], message('1', [text('It.')])));
    await page.getByRole('button', { name: 'Again', exact: true }).waitFor();
    expect(await request.count()).toBe(0);
  });
});

describe('the times', () => {
  it('contract §3 times: are visible in the label of each group without the pointer, and the person’s name once a day', async () => {
    const own = { modifier: 'client', context: 'Ada' };
    const { page } = await shown(
      sent('first', 0, own),
      sent('answer', 1, {}),
      sent('second', 2, own),
      sent('third', 3, own),
    );
    await page.mouse.move(0, 0);
    const seen = (id: string) =>
      line(page, id).evaluate((article) => {
        const [time, name] = [
          article.querySelector('time'),
          article.querySelector('.label > span, .visually-hidden > span'),
        ];
        return {
          time:
            time !== null &&
            getComputedStyle(time).opacity === '1' &&
            time.getBoundingClientRect().width > 20,
          name: (name?.getBoundingClientRect().width ?? 0) > 2,
        };
      });
    expect(await seen('first')).toEqual({ time: true, name: true });
    expect(await seen('answer')).toEqual({ time: true, name: true });
    expect(await seen('second')).toEqual({ time: false, name: false });
    expect(await seen('third')).toEqual({ time: true, name: false });
    expect(await page.getByRole('article', { name: 'Ada' }).count()).toBe(3);
    expect(await page.getByRole('separator').count()).toBe(1);
    await line(page, 'second').hover();
    await expect.poll(() => seen('second')).toMatchObject({ time: true });
  });
});
