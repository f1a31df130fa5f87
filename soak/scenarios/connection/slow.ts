import { setTimeout as pause } from 'node:timers/promises';
import { PEER_SILENCE_MS } from '#shared/limits.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

/** A platform with a slow connection: one frame takes much longer than a silence may, without a pong. */
export const slow = scenario({
  name: 'slow',
  sentence:
    'The platform sends one frame character by character; the connection stays, and the update is shown.',
  short: { silences: 2, faster: 5 },
  long: { silences: 6, faster: 1 },
  async run(soak, { silences, faster }) {
    const { messenger, platform, socket } = await startSignedIn(soak, {
      hooks: ['timeLapse'],
      env: { SOAK_TIME_LAPSE: String(faster) },
    });
    const { page } = await openPage(soak, messenger.url);
    const text = JSON.stringify({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    const partMs = (silences * PEER_SILENCE_MS) / faster / text.length;
    const connections = platform.sockets.all.length;
    socket.answerPings(false);
    for (const [place, character] of Array.from(text).entries()) {
      socket.sendPart(character, place === text.length - 1);
      await pause(partMs);
    }
    socket.answerPings(true);
    soak.addFigure('a frame took', (partMs * text.length * faster) / 1000, 's');
    soak.check(
      'the connection stays while a frame comes slowly',
      platform.sockets.all.length === connections,
    );
    await soak.waitFor('the update of the slow frame is shown', 10, showsNewest(page, 1));
  },
});
