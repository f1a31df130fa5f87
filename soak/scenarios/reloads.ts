import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { callAtRate, numberedMessage } from '../harness/frames.ts';
import { openOwnPage, openPage, showsNewest } from '../harness/openPage.ts';
import { startSignedIn } from '../harness/startMessenger.ts';
import { scenario } from '../run/scenario.ts';

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

/** Each time the platform sends two updates. The queue releases ten a second, so none waits there. */
const STOPPED_PER_SECOND = 4;
const MESSAGE_CHARACTERS = 50_000;
/** A name replaces the previous one, so main keeps large data only for a window that does not read. */
const NAME_CHARACTERS = 8_000_000;
/** The limit of a window's buffer is 32 MB and one message. The rest is for updates that wait and for the program. */
const BUFFER_MB = 70;

/** A window whose process is stopped, so that it does not read. */
export const stoppedRenderer = scenario({
  name: 'stopped-renderer',
  sentence:
    'The renderer process is stopped while updates arrive; the memory of main stays bounded, and the window catches up afterwards.',
  short: { seconds: 5 },
  long: { seconds: 30 },
  async run(soak, { seconds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page, browser } = await openOwnPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const renderers = await findRendererPids(browser);
    const resume = () => renderers.forEach((pid) => process.kill(pid, 'SIGCONT'));

    const before = (await messenger.settledMemory()).held;
    let newest = 1;
    for (const pid of renderers) process.kill(pid, 'SIGSTOP');
    soak.defer(resume);
    const stop = callAtRate(STOPPED_PER_SECOND, (number) => {
      newest = number + 1;
      socket.send(numberedMessage(newest, MESSAGE_CHARACTERS));
      socket.send({ name: 'Ada'.padEnd(NAME_CHARACTERS, 'x') });
    });
    soak.defer(stop);
    await pause(seconds * 1000);
    stop();
    await socket.ping();
    const conversation = (newest * MESSAGE_CHARACTERS) / 1e6;
    const held = (await messenger.settledMemory()).held - before - conversation;
    soak.addFigure('sent while it was stopped', conversation + (newest * NAME_CHARACTERS) / 1e6, 'MB');
    soak.addFigure('held for the window', held, 'MB');
    soak.check(
      `main holds less than ${BUFFER_MB} MB for a window that does not read`,
      held < BUFFER_MB,
      `${held.toFixed(0)} MB`,
    );
    resume();
    const start = performance.now();
    await soak.waitFor('the window shows the newest message within 20 s', 20, showsNewest(page, newest));
    soak.addFigure('from SIGCONT to the newest message', performance.now() - start, 'ms');
    soak.addFigure('peak of main', messenger.memory().peak, 'MB');
  },
});

/** Returns the ids of a browser's renderer processes. */
async function findRendererPids(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}
