import { setTimeout as pause } from 'node:timers/promises';
import { PEER_SILENCE_MS } from '#shared/limits.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { numberedMessage } from '../harness/frames.ts';
import { openPage, showsNewest, stall, stallBeforeTimers, stopProcess } from '../harness/openPage.ts';
import { type SignedIn, startSignedIn } from '../harness/startMessenger.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const HOUR = 3_600_000;
/** The host detects a sleep in less time than this. */
const DETECT_MS = 700;
/** Elsewhere the host cannot tell a stopped process from a sleeping machine. */
const DETECTS_STOPS = process.platform === 'linux';
/** The host has detected the jump by now, and waits for a pong for a second at most. */
const RESUMED_MS = 400;
const ASLEEP = /asleep/;

/** Jumps of the time of day, stalls and stops of the main process: the host must tell them apart. */
export const clock = scenario({
  name: 'clock',
  sentence:
    'The time of day jumps, the main process stalls or is stopped; a healthy connection stays, and ticks continue.',
  short: { rounds: 1, stallMs: 3000, stopMs: 3000 },
  long: { rounds: 5, stallMs: 8000, stopMs: 30_000 },
  async run(soak, { rounds, stallMs, stopMs }) {
    const { signedIn, countSleeps, checkWorks, checkNoSleep } = await startClock(soak);
    const { messenger, socket } = signedIn;
    for (let round = 0; round < rounds; round++) {
      const progress = (text: string) => soak.showProgress(`round ${round + 1} of ${rounds}: ${text}`);
      progress('stall');
      await checkNoSleep('a stall', () => messenger.evaluate(stall(stallMs)));
      if (DETECTS_STOPS) {
        progress('a stop of the process');
        await checkNoSleep('a stop of the process', () => stopProcess(messenger.pid, stopMs));
      }

      const sleeps = countSleeps();
      for (const [name, ms] of [
        ['a jump one hour ahead', HOUR],
        ['a jump one hour back', -HOUR],
      ] as const) {
        progress(name);
        await messenger.evaluate(`soakClock.set(${ms})`);
        await pause(DETECT_MS);
        await checkWorks(name);
      }
      soak.check('the log says that the machine slept after a jump ahead', countSleeps() > sleeps);

      progress('a stall right after a jump ahead');
      // The answer to the ping after the jump cannot be read before the stall is over.
      socket.pause();
      await messenger.evaluate(
        `soakClock.set(0); setTimeout(() => { ${stallBeforeTimers(stallMs)} }, ${RESUMED_MS}); undefined`,
      );
      await pause(RESUMED_MS + stallMs / 2);
      socket.resume();
      await pause(stallMs / 2 + DETECT_MS);
      await checkWorks('a stall right after a jump ahead');
    }
  },
});

/** Starts a messenger whose clock can jump, with the assertions of each round. */
async function startClock(soak: Soak) {
  const signedIn = await startSignedIn(soak, { hooks: ['clockJump'] });
  const { messenger, platform, socket } = signedIn;
  const { page } = await openPage(soak, messenger.url);
  socket.send({ person: 'Ada Lovelace', messages: [] });
  let sent = 0;
  const countSleeps = () =>
    messenger
      .log()
      .split('\n')
      .filter((line) => ASLEEP.test(line)).length;
  const checkWorks = async (after: string) => {
    sent += 1;
    socket.send(numberedMessage(sent));
    await soak.waitFor(`an update is shown within 5 s after ${after}`, 5, showsNewest(page, sent));
    soak.check(`the connection stays after ${after}`, platform.sockets.all.length === 1);
  };
  const checkNoSleep = async (name: string, disturb: () => Promise<unknown>) => {
    const before = countSleeps();
    await disturb();
    await pause(DETECT_MS);
    soak.check(`the log does not say that the machine slept after ${name}`, countSleeps() === before);
    await checkWorks(name);
  };
  return { signedIn, countSleeps, checkWorks, checkNoSleep };
}

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
