import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

const FILE_CHARACTERS = 1_200_000;
/** The limit of data for a platform that does not read, and as much again for data on the way. */
const BOUND_MB = 80;

/** A platform that does not read while a person sends files. */
export const unread = scenario({
  name: 'unread',
  sentence:
    'The platform does not read while files are sent; memory stays bounded, and the window says that a message was not sent.',
  short: { files: 100 },
  long: { files: 600 },
  async run(soak, { files }) {
    const { platform, messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const before = (await messenger.settledMemory()).held;
    socket.pause();
    for (let file = 0; file < files; file += 10) {
      soak.showProgress(`${file} of ${files} files`);
      await page.evaluate((characters) => {
        const blob = 'A'.repeat(characters);
        for (let each = 0; each < 10; each++)
          window.parley.send('message', { category: 'file', text: `${each}.bin`, blob });
      }, FILE_CHARACTERS);
      await messenger.evaluate('1');
    }
    await pause(500);
    const held = (await messenger.settledMemory()).held - before;
    soak.addFigure('sent', (files * FILE_CHARACTERS) / 1e6, 'MB');
    soak.addFigure('held for the platform', held, 'MB');
    soak.check(`at most ${BOUND_MB} MB wait for the platform`, held < BOUND_MB, `${held.toFixed(0)} MB`);
    await soak.waitFor('the window says that something was not sent', 5, async () =>
      /not (?:be )?sent/i.test(await page.locator('body').innerText()),
    );
    socket.resume();
    // On a slow machine the messenger has replaced the silent connection by now.
    const current = () => platform.sockets.all.at(-1) ?? socket;
    await soak.waitFor('the messenger answers once the platform reads', 20, () => isAnswered(current()));
    current().send(numberedMessage(2));
    await soak.waitFor('the conversation continues once the platform reads', 20, showsNewest(page, 2));
  },
});

/** Pings the messenger. Resolves to `false` when the socket is closed. */
const isAnswered = (socket: PlatformSocket): Promise<boolean> =>
  Promise.race([socket.ping().then(() => true), socket.closed.then(() => false)]);
