import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { createDataFolder, signIn } from '../../harness/createDataFolder.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { startMessenger } from '../../harness/startMessenger.ts';
import { openAddress } from '../../harness/openPage.ts';
import { startScriptedPlatform } from '../../harness/startSignedIn.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

const SAVE = 'Save what was received';
const BUTTONS = ['Try again', SAVE, 'Sign out'];

/** A messenger that is killed at each start. */
export const failedStarts = scenario({
  name: 'failed-starts',
  sentence:
    'The messenger is killed while its session starts, twice; the third start asks before it connects, and its buttons work.',
  short: {},
  long: {},
  async run(soak) {
    const platform = await startScriptedPlatform(soak);
    const dataDir = createDataFolder(soak);
    signIn(dataDir, platform.platformUrl);
    const start = () => startMessenger(soak, { dataDir, env: platformEnvironment(platform) });
    const connections = () => platform.sockets.all.length;

    for (const number of [1, 2]) {
      const failing = await start();
      const socket = await soak.waitFor(
        `start ${number} connects`,
        10,
        () => platform.sockets.all[number - 1],
      );
      socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(number)] });
      await socket.ping();
      await failing.kill();
    }

    const third = await start();
    const { page } = await openAddress(soak, third.url);
    await checkButtons(soak, page, 'the third start');
    soak.check('the third start does not connect', connections() === 2, connections());
    await page.getByRole('button', { name: SAVE }).click();
    await soak.waitFor('what start 2 received is saved', 10, () =>
      readCaptures(dataDir).includes(`\\"id\\":\\"m2\\"`),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await soak.waitFor('the third start connects on request', 10, () => connections() === 3);
    await third.kill();

    const fourth = await start();
    await page.goto(fourth.url);
    await checkButtons(soak, page, 'the fourth start');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    await soak.waitFor('the account is deleted', 10, () => !existsSync(join(dataDir, 'account.json')));
    soak.check('the fourth start does not connect', connections() === 3, connections());
    soak.check('the messenger exits with status 0 at SIGTERM', (await fourth.stop()) === 0);
  },
});

async function checkButtons(soak: Soak, page: Page, start: string): Promise<void> {
  for (const name of BUTTONS)
    await soak.waitFor(`${start} offers "${name}"`, 10, () => page.getByRole('button', { name }).isVisible());
}

/** Returns the text of all captures. */
function readCaptures(dataDir: string): string {
  const folder = join(dataDir, 'captures');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}
