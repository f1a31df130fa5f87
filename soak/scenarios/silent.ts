import { PEER_SILENCE_MS } from '#shared/limits.ts';
import { numbered } from '../harness/frames.ts';
import { newestShown, openPage } from '../harness/pages.ts';
import { startSignedIn } from '../harness/platforms.ts';
import { scenario } from '../scenario.ts';

/** A platform that accepts connections and says nothing, not even pongs. */
export const silent = scenario({
  name: 'silent',
  sentence: 'The platform falls silent; the messenger connects again after 10 s of silence, each time.',
  short: { rounds: 2, faster: 5 },
  long: { rounds: 10, faster: 1 },
  async run(soak, { rounds, faster }) {
    const {
      messenger,
      platform,
      socket: first,
      nextSocket,
    } = await startSignedIn(soak, {
      hooks: ['timeLapse'],
      env: { SOAK_TIME_LAPSE: String(faster) },
    });
    const { page } = await openPage(soak, messenger.url);
    platform.answerPings(false);
    first.answerPings(false);
    let socket = first;
    for (let round = 0; round < rounds; round++) {
      soak.progress(`round ${round + 1} of ${rounds}`);
      socket.send({ person: 'Ada Lovelace', messages: [] });
      const start = performance.now();
      const [closed] = [socket.closed];
      await soak.within('a silent connection is closed within 15 s', 15, () =>
        Promise.race([closed.then(() => true), later()]),
      );
      const seconds = ((performance.now() - start) / 1000) * faster;
      soak.figure('closed after', seconds, 's');
      soak.check(
        'it is not closed before 10 s',
        seconds * 1000 >= PEER_SILENCE_MS - 500,
        `${seconds.toFixed(1)} s`,
      );
      socket = await nextSocket();
    }
    socket.answerPings(true);
    socket.send({ person: 'Ada Lovelace', messages: [numbered(1)] });
    await soak.within(
      'a good conversation arrives in the window',
      10,
      async () => (await newestShown(page)) === 1,
    );
  },
});

const later = () => new Promise<false>((resolve) => void setTimeout(() => resolve(false), 100));
