import { setTimeout as pause } from 'node:timers/promises';
import { numberedMessage } from '../../harness/frames.ts';
import { newestShown, openPage } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { stall, stallBeforeTimers, stopProcess } from '../../harness/stall.ts';
import { scenario } from '../../run/scenario.ts';

const HOUR = 3_600_000;
/** Longer than the host looks for a sleep. */
const NOTICE_MS = 700;
/** Elsewhere the host cannot tell a process that gets no processor from a machine that sleeps. */
const KNOWS_STOPS = process.platform === 'linux';
/** The host has noticed a jump, and does not doubt the connection for longer than a second. */
const WOKE_MS = 400;
const ASLEEP = /asleep/;

/** The time of day jumps, and the main process stalls or is stopped: things that look alike. */
export const clock = scenario({
  name: 'clock',
  sentence:
    'The time of day jumps, the main process stalls or is stopped; a healthy connection stays, and ticks go on.',
  short: { rounds: 1, stallMs: 3000, stopMs: 3000 },
  long: { rounds: 5, stallMs: 8000, stopMs: 30_000 },
  async run(soak, { rounds, stallMs, stopMs }) {
    const { messenger, platform, socket } = await startSignedIn(soak, { hooks: ['clockJump'] });
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    let sent = 0;
    const stillWorks = async (after: string) => {
      sent += 1;
      socket.send(numberedMessage(sent));
      await soak.within(
        `an update is shown within 5 s after ${after}`,
        5,
        async () => (await newestShown(page)) === sent,
      );
      soak.check(`the connection stays after ${after}`, platform.sockets.all.length === 1);
    };
    const isNoSleep = async (what: string, disturb: () => Promise<unknown>) => {
      const before = countOf(messenger.log());
      await disturb();
      await pause(NOTICE_MS);
      soak.check(
        `the log does not say that the machine slept after ${what}`,
        countOf(messenger.log()) === before,
      );
      await stillWorks(what);
    };
    for (let round = 0; round < rounds; round++) {
      soak.progress(`round ${round + 1} of ${rounds}: stall`);
      await isNoSleep('a stall', () => messenger.evaluate(stall(stallMs)));
      if (KNOWS_STOPS) {
        soak.progress(`round ${round + 1} of ${rounds}: a stop of the process`);
        await isNoSleep('a stop of the process', () => stopProcess(messenger.pid, stopMs));
      }

      const sleeps = countOf(messenger.log());
      for (const [name, ms] of [
        ['a jump one hour on', HOUR],
        ['a jump one hour back', -HOUR],
      ] as const) {
        soak.progress(`round ${round + 1} of ${rounds}: ${name}`);
        await messenger.evaluate(`soakClock.set(${ms})`);
        await pause(NOTICE_MS);
        await stillWorks(name);
      }
      soak.check('the log says that the machine slept after a jump on', countOf(messenger.log()) > sleeps);

      soak.progress(`round ${round + 1} of ${rounds}: a stall right after a jump on`);
      // The answer to the ping after the jump waits to be read until the stall is over.
      socket.pause();
      await messenger.evaluate(
        `soakClock.set(0); setTimeout(() => { ${stallBeforeTimers(stallMs)} }, ${WOKE_MS}); undefined`,
      );
      await pause(WOKE_MS + stallMs / 2);
      socket.resume();
      await pause(stallMs / 2 + NOTICE_MS);
      await stillWorks('a stall right after a jump on');
    }
  },
});

const countOf = (log: string) => log.split('\n').filter((line) => ASLEEP.test(line)).length;
