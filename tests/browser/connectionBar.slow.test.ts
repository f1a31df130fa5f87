import { expect, it, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted();

it('shows the time of the next try while the platform refuses connections, and disappears when the connection is back', async () => {
  const { platform, signedIn } = scripted();
  const { page, socket } = await signedIn();
  const bar = page.locator('.connection-bar');
  expect(await bar.isVisible()).toBe(false);
  platform.answerUpgrades(503);
  socket.close();
  await bar.getByText('Connection lost. Parley tries again by itself.').waitFor();
  // While an attempt takes long, the bar shows since when Parley tries.
  const nextTry = async () =>
    /Next try at (?<time>\d+:\d\d:\d\d\s[AP]M)$/u.exec((await bar.textContent()) ?? '')?.groups?.['time'];
  const shown = await vi.waitUntil(nextTry, POLLING);
  const time = new Date(`${new Date().toDateString()} ${shown.replace('\u202f', ' ')}`);
  expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(5000);
  const next = nextSocket(platform);
  platform.answerUpgrades('accepted');
  await connect(page, await next());
  await expect.poll(() => bar.isVisible(), POLLING).toBe(false);
});
