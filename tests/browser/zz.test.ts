import { it } from 'vitest';
import { setUpRenderer } from './harness/renderer.ts';
import { appended, message, messages, snapshot, text } from './harness/updates.ts';
const open = setUpRenderer();
it('x', async () => {
  const { page, signedIn, apply, troubles } = await open();
  await signedIn(snapshot(...messages(5000)));
  const where = () => page.getByRole('log').evaluate((l) => [l.scrollTop, l.scrollHeight, l.clientHeight, [...l.querySelectorAll('article')].map((a) => a.dataset.messageId).join(), [...l.querySelectorAll('[data-row]')].map((a) => a.parentElement!.style.cssText).at(-1)]);
  await page.waitForTimeout(500);
  console.log(await where());
  const t = page.getByText('message 5000', { exact: true });
  console.log(await t.count(), await t.first().isVisible(), await t.first().boundingBox());
});
