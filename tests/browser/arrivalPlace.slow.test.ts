import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { sessionLaunched } from '#shared/actions/sessionActions.ts';
import { appended, message, snapshot, text } from './harness/message.ts';
import { resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const TEXTS = ['short', 'a text in one line that is quite long', 'a text of many lines '.repeat(20)];
const SIDES = ['ai', 'client', 'admin'];

/** Returns whether the time of a message is within the window, and whether the button of the actions covers it. */
const placeOfTime = (article: Locator) =>
  article.evaluate((one) => {
    const [time, button] = [one.querySelector('time'), one.querySelector('.message-actions')];
    if (time === null || button === null) return 'The time or the button is missing.';
    const [box, covering] = [time.getBoundingClientRect(), button.getBoundingClientRect()];
    const { paddingLeft, paddingRight } = getComputedStyle(time);
    const [left, right] = [box.left + parseFloat(paddingLeft), box.right - parseFloat(paddingRight)];
    const isWithin = left >= 0 && right <= innerWidth;
    const isBeside = right <= covering.left || left >= covering.right;
    const isBelow = box.top >= covering.bottom || box.bottom <= covering.top;
    return { isWithin, isCovered: !isBeside && !isBelow };
  });

it.each([420, 790, 810, 1440])(
  'shows the time of a message within a window of %i pixels, and not under the button of its actions',
  async (width) => {
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
    await resize(page, width, 800);
    for (const { id = '' } of list) {
      const article = page.locator(`[data-message-id="${id}"]`);
      // The message is not in use when it is scrolled under a pointer that rests.
      await page.mouse.move(0, 0);
      await article.locator('.item').hover();
      await article.locator('.message-actions').waitFor();
      expect([id, await placeOfTime(article)]).toEqual([id, { isWithin: true, isCovered: false }]);
    }
  },
);
