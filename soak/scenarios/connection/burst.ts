import { setTimeout as pause } from 'node:timers/promises';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { newestShown, openPage } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

const PER_SECOND = 1000 / QUEUE_TICK_MS;

/** A burst of thousands of updates. */
export const burst = scenario({
  name: 'burst',
  sentence: 'Ten thousand updates arrive at once; each tick releases one, and the window says how many wait.',
  short: { updates: 10_000, seconds: 5 },
  long: { updates: 10_000, seconds: 120 },
  async run(soak, { updates, seconds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    for (let number = 1; number <= updates; number++) socket.send(numberedMessage(number));
    await socket.ping();
    await soak.waitFor('the first update is shown', 10, async () => (await newestShown(page)) > 0);

    const [start, first] = [performance.now(), await newestShown(page)];
    const waiting = await soak.waitFor('the window says how many updates wait', 10, async () => {
      const text = await page.locator('main').innerText();
      return /(?<count>[\d,.\u202F ]*\d{3}) (?:updates?|messages?)[^\n]*wait/i.exec(text)?.[0];
    });
    soak.showProgress(waiting);
    await pause(seconds * 1000);
    const [passed, last] = [(performance.now() - start) / 1000, await newestShown(page)];
    const rate = (last - first) / passed;
    soak.addFigure('updates shown a second', rate, '');
    soak.addFigure('held with the burst waiting', (await messenger.settledMemory()).held, 'MB');
    soak.check(
      'ticks hold: never more than one update each 100 ms',
      last - first <= passed * PER_SECOND + 2,
      rate.toFixed(2),
    );
    soak.check('ticks hold: nine in ten release an update', rate > 0.9 * PER_SECOND, rate.toFixed(2));
  },
});
