import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { spawnMessenger } from '../../harness/startMessenger.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { followChild } from '../../harness/followChild.ts';
import { scenario } from '../../run/scenario.ts';

/** A data folder that is removed while the messenger runs. */
export const removedFolder = scenario({
  name: 'removed-folder',
  sentence:
    'The data folder is removed while the messenger runs; the window says so, and no second messenger starts on it.',
  short: { isMoved: false },
  long: { isMoved: true },
  async run(soak, { isMoved }) {
    const dataDir = createDataFolder(soak);
    const { messenger, platform, socket } = await startSignedIn(soak, {
      dataDir,
      env: { PARLEY_CAPTURE: '1' },
    });
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));

    const aside = `${dataDir}-moved`;
    soak.defer(() => rmSync(aside, { recursive: true, force: true }));
    if (isMoved) renameSync(dataDir, aside);
    else rmSync(dataDir, { recursive: true });
    await soak.waitFor('the window says that the data folder is gone', 20, async () =>
      /data folder[^\n]*(?:removed|gone|missing|moved|no longer)/i.test(
        await page.locator('body').innerText(),
      ),
    );
    socket.send(numberedMessage(2));
    await soak.waitFor('the conversation continues', 10, showsNewest(page, 2));

    if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
    const second = spawnMessenger(soak, { dataDir, env: platformEnvironment(platform) });
    const ended = followChild(second);
    soak.defer(async () => {
      second.kill('SIGKILL');
      await ended;
    });
    let printed = '';
    second.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    const { port } = new URL(messenger.url);
    await Promise.race([ended, pause(8000)]);
    soak.check(
      'no second messenger starts on the folder',
      !printed.includes('Parley is ready at') || printed.includes(`:${port}/`),
      printed.trim().replace(/token=\S+/, 'token'),
    );
    soak.check('the first messenger runs', messenger.isRunning());
  },
});
