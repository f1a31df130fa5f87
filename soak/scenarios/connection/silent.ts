import { setTimeout as pause } from 'node:timers/promises';
import { PEER_SILENCE_MS } from '#shared/limits.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { stall, stallBeforeTimers } from '../../harness/stall.ts';
import { type SignedIn, startSignedIn } from '../../harness/startSignedIn.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

/** Longer than a silence may be. */
const STALL_MS = 12_000;
/** In the last second of a silence. */
const SILENCE_MS = 9300;
/** After this time a closed connection has been replaced. */
const REPLACED_MS = 4000;

/** A platform that accepts connections and sends nothing, not even pongs. */
export const silent = scenario({
  name: 'silent',
  sentence: 'The platform sends nothing; the messenger connects again after 10 s of silence, each time.',
  short: { rounds: 2, faster: 5 },
  long: { rounds: 10, faster: 1 },
  async run(soak, { rounds, faster }) {
    const signedIn = await startSignedIn(soak, {
      hooks: ['timeLapse'],
      env: { SOAK_TIME_LAPSE: String(faster) },
    });
    const { page } = await openPage(soak, signedIn.messenger.url);
    const socket = await checkSilences(soak, signedIn, { rounds, faster });
    await checkStalls(soak, signedIn, { socket, faster });
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('a good conversation arrives in the window', 10, showsNewest(page, 1));
  },
});

/** Asserts that silent connections are closed in time. Returns the last connection, which is open. */
async function checkSilences(
  soak: Soak,
  { platform, socket: first, nextSocket }: SignedIn,
  { rounds, faster }: { readonly rounds: number; readonly faster: number },
): Promise<PlatformSocket> {
  platform.answerPings(false);
  first.answerPings(false);
  let socket = first;
  for (let round = 0; round < rounds; round++) {
    soak.showProgress(`round ${round + 1} of ${rounds}`);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    const start = performance.now();
    const { closed } = socket;
    await soak.waitFor('a silent connection is closed within 15 s', 15, () => closed.then(() => true));
    const seconds = ((performance.now() - start) / 1000) * faster;
    soak.addFigure('closed after', seconds, 's');
    soak.check(
      'it is not closed before 10 s',
      seconds * 1000 >= PEER_SILENCE_MS - 500,
      `${seconds.toFixed(1)} s`,
    );
    socket = await nextSocket();
  }
  return socket;
}

/** Asserts that a connection stays when the process could not read what came in time. */
async function checkStalls(
  soak: Soak,
  { messenger, platform }: SignedIn,
  { socket, faster }: { readonly socket: PlatformSocket; readonly faster: number },
): Promise<void> {
  const connections = platform.sockets.all.length;
  socket.answerPings(true);
  soak.showProgress('a long stall');
  await messenger.evaluate(stall(STALL_MS));
  await pause(REPLACED_MS / faster);
  soak.check('the connection stays after a stall', platform.sockets.all.length === connections);

  soak.showProgress('a stall at the end of a silence');
  socket.answerPings(false);
  const { port } = new URL(platform.platformUrl);
  await messenger.evaluate(`${stallAfterSilence(Number(port))}; undefined`);
  socket.send({ person: 'Ada Lovelace', messages: [] });
  await pause((SILENCE_MS + STALL_MS / 2) / faster);
  // The process cannot read it before the stall is over.
  socket.answerPings(true);
  socket.send({ person: 'Ada Lovelace', messages: [] });
  await pause((STALL_MS / 2 + REPLACED_MS) / faster);
  soak.check(
    'the connection stays when an update came during a stall at the end of a silence',
    platform.sockets.all.length === connections,
  );
  soak.check('the stall was at the end of a silence', (await messenger.evaluate('soakStalled')) === true);
}

/** Returns a statement that stalls the process when it has read nothing from this port for `SILENCE_MS`. */
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
