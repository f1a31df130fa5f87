import type { Page } from 'playwright-core';
import { poisonPage } from '#tests/browser/harness/pageAccess.ts';
import { WINDOW_BREAKING_MARKUP } from '#tests/builders/hostileMarkup.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { message } from '#tests/builders/updateOf.ts';
import { htmlItem, numberedMessage } from '../harness/frames.ts';
import { openPage, showsNewest } from '../harness/openPage.ts';
import { startSignedIn } from '../harness/startMessenger.ts';
import { type Soak, scenario } from '../run/scenario.ts';

/** Keeps the page's own socket in `window.soakSocket`. */
const KEEP_SOCKET = `
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(...args) {
      super(...args);
      window.soakSocket = this;
    }
  };`;

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** Frames that the messenger's page never sends: lengths, depths and names that could end the host or fill its memory. */
const HOSTILE = [
  '["send","message",[[-7,4294967295,0,1],1]]',
  '["send","message",[[1],[-7,4294967295,0,1]]]',
  '["invoke",1,"auth",[[-7,4294967295,0,1],1]]',
  '["send","message",[["__proto__"],1]]',
  '["send","__proto__",[[]]]',
  `["send","message",${deep(5000)}]`,
  `["shortcut","${'x'.repeat(1_000_000)}"]`,
  '["invoke",1e308,"encode",[["ArrayBuffer","AAAA"]]]',
  'x',
  '{}',
  '[]',
  '[[]]',
];
const MEMORY_MB = 200;

/** An authenticated page that sends hostile frames. */
export const hostilePage = scenario({
  name: 'hostile-page',
  sentence: 'An authenticated page sends hostile bridge frames; the host refuses them and stays usable.',
  short: { rounds: 1 },
  long: { rounds: 20 },
  async run(soak, { rounds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const before = messenger.memory().resident;
    const { page } = await openPage(soak, messenger.url, KEEP_SOCKET);
    for (let round = 0; round < rounds; round++) {
      for (const [index, frame] of HOSTILE.entries()) {
        soak.showProgress(`round ${round + 1}, frame ${index + 1} of ${HOSTILE.length}`);
        await soak.waitFor('the page connects again', 10, () =>
          page.evaluate('window.soakSocket.readyState === 1').catch(() => false),
        );
        await page.evaluate((text) => {
          const own: unknown = Reflect.get(window, 'soakSocket');
          if (own instanceof WebSocket) own.send(text);
        }, frame);
        await soak.waitFor('the host answers within 10 s of a hostile frame', 10, async () =>
          Promise.race([messenger.evaluate('1'), messenger.ended.then(() => false as const)]).catch(
            () => false,
          ),
        );
      }
    }
    soak.check('the messenger runs', messenger.isRunning());
    const grown = messenger.memory().peak - before;
    soak.addFigure('most memory above the start', grown, 'MB');
    soak.check(`its memory grows by less than ${MEMORY_MB} MB`, grown < MEMORY_MB, `${grown.toFixed(0)} MB`);

    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('a good conversation arrives in the window', 20, showsNewest(page, 1));
  },
});

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
