import { setTimeout as pause } from 'node:timers/promises';
import { PEER_SILENCE_MS } from '#shared/limits.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { newestShown, openPage } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { stall, stallBeforeTimers } from '../../harness/stall.ts';
import { scenario } from '../../run/scenario.ts';

/** Longer than a silence may be. */
const STALL_MS = 12_000;
/** In the last second of a silence. */
const SILENCE_MS = 9300;
/** A connection that is cut has been replaced. */
const CUT_MS = 4000;

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
    const connections = platform.sockets.all.length;
    socket.answerPings(true);
    soak.progress('a long stall');
    await messenger.evaluate(stall(STALL_MS));
    await pause(CUT_MS / faster);
    soak.check('the connection stays after a stall', platform.sockets.all.length === connections);

    soak.progress('a stall at the end of a silence');
    socket.answerPings(false);
    const { port } = new URL(platform.platformUrl);
    await messenger.evaluate(`${stallAfterSilence(Number(port))}; undefined`);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    await pause((SILENCE_MS + STALL_MS / 2) / faster);
    // It waits to be read until the stall is over.
    socket.answerPings(true);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    await pause((STALL_MS / 2 + CUT_MS) / faster);
    soak.check(
      'the connection stays when an update came during a stall at the end of a silence',
      platform.sockets.all.length === connections,
    );
    soak.check('the stall was at the end of a silence', (await messenger.evaluate('soakStalled')) === true);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.within(
      'a good conversation arrives in the window',
      10,
      async () => (await newestShown(page)) === 1,
    );
  },
});

/** An expression that stalls the process once it has read nothing from this port for `SILENCE_MS`. */
const stallAfterSilence = (port: number) => `{
  const line = process._getActiveHandles().find(({ remotePort }) => remotePort === ${port});
  let last = { bytes: -1, at: 0 };
  const timer = setInterval(() => {
    if (line.bytesRead !== last.bytes) last = { bytes: line.bytesRead, at: performance.now() };
    else if (performance.now() - last.at > ${SILENCE_MS}) {
      clearInterval(timer);
      globalThis.soakStalled = true;
      ${stallBeforeTimers(STALL_MS)}
    }
  }, 50);
}`;

const later = () => new Promise<false>((resolve) => void setTimeout(() => resolve(false), 100));
