import type { Page } from 'playwright-core';
import { poisonPage } from '#tests/browser/harness/poisonPage.ts';
import { WINDOW_BREAKING_MARKUP } from '#tests/builders/hostileMarkup.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { message } from '#tests/builders/updateOf.ts';
import { htmlItem, numberedMessage } from '../../harness/frames.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

/** A busy machine takes ten times as long as an idle one. Markup without limits takes longer, or never ends. */
const SHOWN_SECONDS = 30;

/** Messages with hostile markup between ordinary ones. */
export const markup = scenario({
  name: 'markup',
  sentence:
    'Messages contain hostile and amplifying markup; the rest of the window stays usable. A window that cannot be shown offers to reload.',
  short: { rounds: 1 },
  long: { rounds: 10 },
  async run(soak, { rounds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page, errors } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    let newest = 1;
    let slowest = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [index, source] of WINDOW_BREAKING_MARKUP.entries()) {
        soak.showProgress(`round ${round + 1}, markup ${index + 1} of ${WINDOW_BREAKING_MARKUP.length}`);
        const start = performance.now();
        socket.send(message(`hostile${index}`, { content: [htmlItem(source)] }));
        newest += 1;
        const wanted = newest;
        socket.send(numberedMessage(wanted));
        await soak.waitFor(
          `a message after hostile markup is shown within ${SHOWN_SECONDS} s`,
          SHOWN_SECONDS,
          showsNewest(page, wanted),
        );
        slowest = Math.max(slowest, performance.now() - start);
      }
    }
    soak.addFigure('slowest message after hostile markup', slowest, 'ms');
    // Of over 200 messages, only those near the view are in the document.
    await page.getByRole('log').evaluate((log) => log.scrollTo(0, 0));
    await soak.waitFor(
      'the first message is still there',
      5,
      async () => (await page.locator('[data-message-id="m1"]').count()) === 1,
    );
    soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));

    await page.reload();
    await soak.waitFor('the same conversation opens again', 20, showsNewest(page, newest));
    await checkFailedWindow(soak, page, socket);
    await soak.waitFor('the button reloads the conversation', 20, showsNewest(page, newest));
  },
});

/** Makes the window itself fail while it renders, outside of any message, and presses its button. */
async function checkFailedWindow(soak: Soak, page: Page, socket: PlatformSocket): Promise<void> {
  await page.evaluate(poisonPage);
  socket.send({ name: 'poison' });
  const failure = page.getByRole('alert').filter({ hasText: 'This window cannot be shown' });
  const reload = failure.getByRole('button', { name: 'Reload' });
  await soak.waitFor('a window that cannot be shown offers to reload', 10, () => reload.isVisible());
  await reload.click();
}
