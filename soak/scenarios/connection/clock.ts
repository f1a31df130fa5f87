import { setTimeout as pause } from 'node:timers/promises';
import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { stall, stallBeforeTimers, stopProcess } from '../../harness/stall.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

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
