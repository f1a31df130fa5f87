import { numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

/** Uncaught errors, thrown in the main process. */
const ERRORS = [
  ['an error in a timer', `setTimeout(() => { throw new Error('thrown by the soak'); }, 0)`],
  ['a rejected promise', `void Promise.reject(new Error('rejected by the soak'))`],
  ['a thrown object that is not an error', `setTimeout(() => { throw { a: 1 }; }, 0)`],
] as const;

/** Uncaught errors in the main process. */
export const errors = scenario({
  name: 'errors',
  sentence: 'The main process has uncaught errors; it logs them and continues, and the window says so.',
  short: { rounds: 1 },
  long: { rounds: 100 },
  async run(soak, { rounds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    let sent = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [name, expression] of ERRORS) {
        await messenger.evaluate(`${expression}; undefined`);
        socket.send(numberedMessage(++sent));
        await soak.waitFor(`updates are shown after ${name}`, 10, showsNewest(page, sent));
      }
    }
    soak.check('the log has each error', messenger.log().includes('unexpected error'));
    soak.check('the log does not have their messages', !messenger.log().includes('by the soak'));
    await soak.waitFor('the window says that there was an unexpected error', 10, async () =>
      /unexpected error/i.test(await page.locator('body').innerText()),
    );
  },
});
