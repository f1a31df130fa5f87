import { expect, it } from 'vitest';
import { sessionLaunched } from '#shared/store/session.ts';
import { appended, message, snapshot, text } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const TEXTS = ['short', 'a text in one line that is quite long', 'a text of many lines '.repeat(20)];
const SIDES = ['ai', 'client', 'admin'];

it('shows the time of a message within the window, and not under the button of its actions, at any width', async () => {
  const { page, signedIn, apply, dispatch } = await sharedWindow();
  await signedIn(snapshot());
  await dispatch(sessionLaunched({ launchedAt: 0, timeOfDay: Date.UTC(2026, 10, 22, 15, 20) }));
  const list = SIDES.flatMap((modifier) =>
    TEXTS.map((words) => message(`${modifier} ${words.length}`, [text(words)], { modifier })),
  );
  await apply(snapshot(), ...list.map(appended));
  await page
    .locator('time')
    .nth(list.length - 1)
    .waitFor({ state: 'attached' });
  for (const width of [420, 760, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    for (const { id = '' } of list) {
      const article = page.locator(`[data-message-id="${id}"]`);
      // The message is not in use when it is scrolled under a pointer that rests.
      await page.mouse.move(0, 0);
      await article.locator('.item').hover();
      const [time, button] = [article.locator('time'), article.locator('.message-actions')];
      await button.waitFor();
      const [timeBox, buttonBox] = [await time.boundingBox(), await button.boundingBox()];
      const [left, right] = await time.evaluate((one) => {
        const { paddingLeft, paddingRight } = getComputedStyle(one);
        return [parseFloat(paddingLeft), parseFloat(paddingRight)];
      });
      const from = (timeBox?.x ?? -1) + (left ?? 0);
      const to = (timeBox?.x ?? 0) + (timeBox?.width ?? width) - (right ?? 0);
      const place = `${id}, ${width} pixels: ${from} to ${to}`;
      expect(from, place).toBeGreaterThanOrEqual(0);
      expect(to, place).toBeLessThanOrEqual(width);
      const isBeside = to <= (buttonBox?.x ?? 0) || from >= (buttonBox?.x ?? 0) + (buttonBox?.width ?? 0);
      const isBelow = (timeBox?.y ?? 0) >= (buttonBox?.y ?? 0) + (buttonBox?.height ?? 0);
      expect(isBeside || isBelow, place).toBe(true);
    }
  }
});
