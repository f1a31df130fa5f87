import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { numbered } from '../harness/frames.ts';
import { newestShown, openOwnPage } from '../harness/pages.ts';
import { startSignedIn } from '../harness/platforms.ts';
import { atRate } from '../harness/atRate.ts';
import { scenario } from '../scenario.ts';

const PER_SECOND = 10;
const MESSAGE_CHARACTERS = 500_000;

/** A window whose process is stopped: it reads nothing, and what main sends it waits. */
export const stoppedRenderer = scenario({
  name: 'stopped-renderer',
  sentence: 'The renderer process is stopped while updates come; after it continues, the window catches up.',
  short: { seconds: 3 },
  long: { seconds: 30 },
  async run(soak, { seconds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page, browser } = await openOwnPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numbered(1)] });
    await soak.within('the conversation is shown', 10, async () => (await newestShown(page)) === 1);
    const renderers = await rendererPids(browser);
    const resume = () => renderers.forEach((pid) => process.kill(pid, 'SIGCONT'));

    let newest = 1;
    for (const pid of renderers) process.kill(pid, 'SIGSTOP');
    soak.defer(resume);
    const stop = atRate(PER_SECOND, (number) => {
      newest = number + 1;
      socket.send(numbered(newest, MESSAGE_CHARACTERS));
    });
    soak.defer(stop);
    await pause(seconds * 1000);
    stop();
    resume();
    const start = performance.now();
    await soak.within(
      'the window shows the newest message within 20 s',
      20,
      async () => (await newestShown(page)) === newest,
    );
    soak.figure('from SIGCONT to the newest message', performance.now() - start, 'ms');
    soak.figure('sent meanwhile', (newest * MESSAGE_CHARACTERS) / 1e6, 'MB');
    soak.figure('peak of main', messenger.memory().peak, 'MB');
  },
});

/** The processes that draw a browser's pages. */
async function rendererPids(browser: Browser): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}
