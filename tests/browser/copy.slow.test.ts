import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { copy } from './harness/copy.ts';
import { snapshot, uneven } from './harness/message.ts';
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
  expect(await copy(page)).toBe(copiedText(...texts));
});
