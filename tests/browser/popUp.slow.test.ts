import { expect, it } from 'vitest';
import { setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted({ isComplete: true });

it('blocks a window that the page opens without a click, and opens it with one', async () => {
  const { page } = scripted();
  const context = page.context();
  const session = await context.newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: "window.open('about:blank') === null",
    userGesture: false,
  });
  expect(result.value).toBe(true);
  expect(context.pages()).toEqual([page]);

  await page.evaluate(() =>
    document.addEventListener('click', () => window.open('about:blank'), { once: true }),
  );
  const opened = context.waitForEvent('page');
  await page.mouse.click(5, 300);
  await opened;
});
