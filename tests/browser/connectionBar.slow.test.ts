import { expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted();

it('shows the time of the next try while the platform refuses connections, and disappears when the connection is back', async () => {
  const { platform, signedIn } = scripted();
  const { page, socket } = await signedIn();
  const bar = page.locator('.connection-bar');
  expect(await bar.isVisible()).toBe(false);
  const lostAt = Date.now();
  platform.answerUpgrades(503);
  socket.close();
  await bar.getByText('Connection lost. Parley tries again by itself.').waitFor();
  const shown = /Next try at (?<time>\d+:\d\d:\d\d\s[AP]M)$/u.exec((await bar.textContent()) ?? '')?.groups;
  const time = new Date(`${new Date(lostAt).toDateString()} ${shown?.['time']?.replace('\u202f', ' ')}`);
  expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(5000);
  const next = nextSocket(platform);
  platform.answerUpgrades('accepted');
  await connect(page, await next());
  await expect.poll(() => bar.isVisible(), POLLING).toBe(false);
});
