import type { Page } from 'playwright-core';
import { numbered } from '../harness/frames.ts';
import { newestShown, openPage } from '../harness/pages.ts';
import { startSignedIn } from '../harness/platforms.ts';
import { type Soak, scenario } from '../scenario.ts';

const FILE_CHARACTERS = 1_000_000;
const OPEN_SECONDS = 10;
/** The rest of the program, which is there without a conversation. */
const PROGRAM_MB = 60;

/** Conversations with many large files, opened in a window. */
export const large = scenario({
  name: 'large',
  sentence:
    'Conversations of 100, 140 and 300 MB open in the window, and again after a reload and after a reconnect.',
  short: { megabytes: [140], snapshot: true },
  long: { megabytes: [100, 140, 300], snapshot: true },
  async run(soak, { megabytes, snapshot }) {
    for (const size of megabytes) {
      soak.progress(`${size} MB`);
      const { messenger, socket } = await startSignedIn(soak);
      await receive(soak, { size, snapshot, send: (text) => socket.sendText(text) }, () => socket.ping());
      await new Promise((resolve) => void setTimeout(resolve, 500));

      let start = performance.now();
      const { page, errors } = await openPage(soak, messenger.url);
      await shows(soak, page, size);
      soak.figure(`${size} MB: opened after`, performance.now() - start, 'ms');
      start = performance.now();
      await page.reload();
      await shows(soak, page, size);
      soak.figure(`${size} MB: reloaded after`, performance.now() - start, 'ms');

      const { held } = await messenger.settledMemory();
      const { resident, peak } = messenger.memory();
      soak.figure(`${size} MB: held by main, settled`, held, 'MB');
      soak.figure(`${size} MB: resident`, resident, 'MB');
      soak.figure(`${size} MB: peak`, peak, 'MB');
      soak.check(
        'main holds less than 1.5 times the conversation',
        held < 1.5 * size + PROGRAM_MB,
        `${held.toFixed(0)} MB of ${size} MB`,
      );
      soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
      await page.context().close();
      await messenger.kill();
    }
  },
});

const shows = (soak: Soak, page: Page, newest: number) =>
  soak.within(
    `the newest message is shown within ${OPEN_SECONDS} s`,
    OPEN_SECONDS,
    async () => (await newestShown(page)) === newest,
  );

/** A conversation of that many MB, one file a message, all in one snapshot; the frame has been received when it resolves. */
async function receive(
  soak: Soak,
  {
    size,
    send,
  }: { readonly size: number; readonly snapshot: boolean; readonly send: (text: string) => void },
  received: () => Promise<void>,
): Promise<void> {
  const blob = Buffer.alloc((FILE_CHARACTERS * 3) / 4, soak.seed).toString('base64');
  const messages = Array.from({ length: size }, (_, index) => ({
    ...numbered(index + 1),
    content: [{ category: 'file', text: `${index + 1}.bin`, html: null, blob }],
  }));
  send(JSON.stringify({ person: 'Ada Lovelace', messages }));
  await soak.within('the snapshot is received within 30 s', 30, () => received().then(() => true));
}
