import { setTimeout as pause } from 'node:timers/promises';
import { numberedMessage } from '../../harness/frames.ts';
import { openPage } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { callAtRate } from '../../harness/callAtRate.ts';
import { scenario } from '../../run/scenario.ts';

const PER_SECOND = 8;

/** A page that is reloaded many times. */
export const reloads = scenario({
  name: 'reloads',
  sentence:
    'The page is reloaded many times while updates arrive; at the end it shows all of them, in order.',
  short: { reloads: 6 },
  long: { reloads: 20 },
  async run(soak, { reloads: count }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page, errors } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    let sent = 0;
    const stop = callAtRate(PER_SECOND, (number) => {
      socket.send(numberedMessage(number));
      sent = number;
    });
    soak.defer(stop);
    for (let reload = 0; reload < count; reload++) {
      soak.showProgress(`reload ${reload + 1} of ${count}`);
      // Some reloads do not wait until the page has its state.
      await page.reload();
      if (soak.random() < 0.7) await page.locator('main:not([data-view="splash"])').waitFor();
      await pause(soak.random() * 500);
    }
    stop();
    const expected = Array.from({ length: sent }, (_, index) => `m${index + 1}`).join(' ');
    const start = performance.now();
    await soak.waitFor('the page shows every message in order', 20, async () => {
      const ids = await page.evaluate(() =>
        Array.from(
          document.querySelectorAll<HTMLElement>('article[data-message-id]'),
          (article) => article.dataset['messageId'],
        ).join(' '),
      );
      return ids === expected;
    });
    soak.addFigure('messages', sent, '');
    soak.addFigure('from the last reload to the whole conversation', performance.now() - start, 'ms');
    soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
  },
});
