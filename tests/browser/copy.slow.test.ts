import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { copy, copyLater, startCopy } from './harness/copy.ts';
import { message, messages, snapshot, uneven } from './harness/message.ts';
import { BLOCKING_MS, watchLongTasks } from './harness/watchLongTasks.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

/** Scrolls until a row is in the middle of the view. */
const scrollToRow = (page: Page, row: number) =>
  page.getByRole('log').evaluate(async (log, wanted) => {
    const wantedRow = () => log.querySelector<HTMLElement>(`[data-row="${wanted}"]`);
    // The browser reports a selection in the next frame.
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    for (let step = 1; wantedRow() === null || step < 3; step++) {
      const { top } = log.getBoundingClientRect();
      const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
      const first = rows.find((one) => one.getBoundingClientRect().bottom > top + 1);
      const away = wanted - Number(first?.dataset['row']);
      if (wantedRow() === null) log.scrollBy(0, (away * log.scrollHeight) / 10_000);
      else wantedRow()?.scrollIntoView({ block: 'center' });
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
  }, row);

/** Returns the texts of consecutive messages of the assistant as they are copied. */
const copiedText = (...texts: readonly string[]) => texts.map((words) => `Parley:\n${words}`).join('\n\n');

it('copies 552 of 10,000 messages with their senders after a shift-click and after a drag, and all of them after Ctrl+A', async () => {
  const { page, signedIn } = await sharedWindow();
  const many = uneven(10_000);
  const texts = many.map(({ content }) => content?.[0]?.text ?? '');
  await signedIn(snapshot(...many));
  await page.locator('[data-message-id="m10000"]').waitFor();
  const end = { position: { x: 60, y: 8 } };
  const paragraph = (row: number) => page.locator(`[data-row="${row}"] .item-text`);
  const moveTo = async (row: number, x: number) => {
    const box = await paragraph(row).boundingBox();
    await page.mouse.move((box?.x ?? 0) + x, (box?.y ?? 0) + 8);
  };
  const offsets = () =>
    page.evaluate(() => {
      const { anchorOffset = 0, focusOffset = 0 } = document.getSelection() ?? {};
      return [anchorOffset, focusOffset] as const;
    });

  await scrollToRow(page, 5000);
  await paragraph(5000).click(end);
  await scrollToRow(page, 5551);
  await paragraph(5551).click({ ...end, modifiers: ['Shift'] });
  const selected = (first = 0, last = 0) => {
    const between = texts.slice(5001, 5551);
    return copiedText(texts[5000]?.slice(first) ?? '', ...between, texts[5551]?.slice(0, last) ?? '');
  };
  const [anchor, focus] = await offsets();
  expect(await copy(page)).toBe(selected(anchor, focus));

  await paragraph(5551).click(end);
  await page.mouse.down();
  // The first movement begins the selection.
  await moveTo(5551, 90);
  await scrollToRow(page, 5000);
  await moveTo(5000, 90);
  await moveTo(5000, 60);
  await page.mouse.up();
  const [last, first] = await offsets();
  expect(await copy(page)).toBe(selected(first, last));

  await page.keyboard.press('ControlOrMeta+a');
  expect(await copyLater(page)).toBe(copiedText(...texts));
});

/** The markup of an answer: 200 characters. */
const answer = (at: number) =>
  `<p>Answer <b>${at}</b> with <code>code</code>.</p><ul><li>one</li><li>two</li></ul><table><tr><td>1</td><td>2</td></tr></table>${'<p>some more words</p>'.repeat(4)}`;

it('copies 100,000 messages with markup without blocking the window, and shows the progress', async () => {
  const { page, signedIn } = await sharedWindow();
  const many = Array.from({ length: 100_000 }, (_, at) =>
    message(`m${at}`, [{ category: 'html', html: answer(at) }]),
  );
  await signedIn(snapshot(...many));
  await page.locator('[data-message-id="m99999"]').waitFor({ timeout: 200_000 });
  await page.getByRole('log').focus();
  await page.keyboard.press('ControlOrMeta+a');
  // All messages have arrived.
  await page.keyboard.press('Home');
  await page.locator('[data-message-id="m0"]').waitFor({ timeout: 200_000 });
  const longest = await watchLongTasks(page);
  const start = performance.now();
  const { ended, text: copiedNow } = await startCopy(page);
  await page.locator('.work', { hasText: 'Copying' }).waitFor();
  await ended();
  const ms = Math.round(performance.now() - start);
  const longestMs = await longest();
  expect(longestMs).toBeLessThan(BLOCKING_MS);
  const text = await copiedNow();
  console.log(`copied ${text.length} characters in ${ms} ms; the longest task took ${longestMs} ms`);
  expect(text.split('Parley:\nAnswer ')).toHaveLength(100_001);
  expect(text.startsWith('Parley:\nAnswer 0 with code.\none\ntwo\n1\t2\nsome more words')).toBe(true);
  await page.locator('.work').waitFor({ state: 'detached' });
});

it('waits for messages that have not arrived in the window, and does not copy their placeholders', async () => {
  const { page, account, signedIn, holdParts } = await sharedWindow();
  await signedIn(snapshot(...messages(5000)));
  const release = holdParts();
  await page.reload();
  await account('account-1');
  await page.getByText('message 5000', { exact: true }).waitFor();
  await page.getByRole('log').focus();
  await page.keyboard.press('ControlOrMeta+a');
  const copied = copyLater(page);
  await page.locator('.work', { hasText: 'Copying' }).waitFor();
  release();
  const all = messages(5000).map((_, at) => `Parley:\nmessage ${at + 1}`);
  expect(await copied).toBe(all.join('\n\n'));
});
