import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startActivity, receivedIds, signInByBridge } from '../../harness/activity.ts';
import { checkKilled, checkRestarted } from '../../harness/checkDataFolder.ts';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { startMessenger } from '../../harness/startMessenger.ts';
import { openPage, waitForView } from '../../harness/openPage.ts';
import { PLATFORM_FILE } from '#platform/startPlatform.ts';
import { readStoredPlatform } from '#platform/testing/readStoredPlatform.ts';
import { scenario } from '../../run/scenario.ts';

const BUSY_MS = 600;

/** A messenger with the built-in platform that is killed at random moments while a person is busy. */
export const kills = scenario({
  name: 'kills',
  sentence:
    'The messenger is killed at random moments of activity; every file is whole, and the next start works.',
  short: { kills: 6 },
  long: { kills: 200 },
  async run(soak, { kills: count }) {
    const dataDir = createDataFolder(soak);
    const options = { dataDir, env: { PARLEY_CAPTURE: '1', PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '1000000' } };
    let messenger = await startMessenger(soak, options);
    const { page } = await openPage(soak, messenger.url);
    let slowest = 0;
    let lost = 0;
    for (let kill = 0; kill < count; kill++) {
      soak.showProgress(`kill ${kill + 1} of ${count}`);
      if ((await waitForView(page)) === 'login') await signInByBridge(page);
      await startActivity(page, Math.floor(soak.random() * 1e6));
      await pause(soak.random() * BUSY_MS);
      await messenger.kill();

      checkKilled(soak, dataDir);
      lost += countMissing(dataDir, await receivedIds(page));
      const start = performance.now();
      messenger = await startMessenger(soak, options);
      slowest = Math.max(slowest, performance.now() - start);
      checkRestarted(soak, dataDir);
      await page.goto(messenger.url);
    }
    soak.addFigure('kills', count, '');
    soak.addFigure('slowest start after a kill', slowest, 'ms');
    soak.check(
      'no message that a window has received is lost by the built-in platform',
      lost === 0,
      `${lost} lost`,
    );
    soak.check('the last messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});

/** Counts the ids that the platform's file does not contain. */
function countMissing(dataDir: string, ids: readonly string[]): number {
  const accounts = readStoredPlatform(join(dataDir, PLATFORM_FILE));
  const stored = new Set(accounts.flatMap(({ messages }) => messages.map(({ id }) => id)));
  return ids.filter((id) => !stored.has(id)).length;
}
