import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { takeKeyDelays } from './page.ts';

/** The delays until the next key vary, so that keys are pressed at any moment of a frame. */
const keyPause = (key: number) => 80 + ((key * 37) % 41);

/** Types keys into the open text box of a page with `watchKeys`; returns the delays to their paint in milliseconds, the shortest first. */
export async function typeKeys(page: Page, keys: number): Promise<number[]> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('');
  await takeKeyDelays(page, 0);
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('a');
    await setTimeout(keyPause(key));
  }
  const delays = await takeKeyDelays(page, keys);
  return delays.toSorted((a, b) => a - b);
}
