import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { WINDOW_BREAKING_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { message } from '#tests/builders/updateOf.ts';
import { captureText } from '../harness/dataFolder.ts';
import { createDataFolder, followChild } from '../harness/startMessenger.ts';
import { htmlItem } from '../harness/frames.ts';
import { openAddress } from '../harness/openPage.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const OPEN = /is open at (?<url>http:\/\/\S+)/;
/** Frames come faster than the queue releases updates, so some wait. */
const FRAME_MS = QUEUE_TICK_MS / 4;
const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

const FRAMES = [
  '{"person":"Ada Lovelace","messages":[]}',
  `{"modifier":"ai","id":"deep","content":[],"extra":${deep(6000)}}`,
  '{"modifier":"ai","__proto__":1}',
  ...WINDOW_BREAKING_MARKUP.map((html, index) =>
    JSON.stringify(message(`m${index}`, { content: [htmlItem(html)] })),
  ),
  JSON.stringify(message('last')),
];

/** A capture of hostile frames and markup in the inspector. */
export const inspector = scenario({
  name: 'inspector',
  sentence:
    'The inspector opens a capture of hostile frames and markup, and shows each step without an error.',
  short: {},
  long: {},
  async run(soak) {
    const file = join(createDataFolder(soak), 'hostile.parley.jsonl');
    writeFileSync(file, captureText(FRAMES, FRAME_MS));
    const { page, errors } = await openAddress(soak, await startInspector(soak, file));
    await soak.waitFor('the inspector shows its first step within 20 s', 20, () =>
      page.locator('[data-drawn]').count(),
    );

    const slider = page.getByRole('slider', { name: 'Step' });
    const last = Number(await slider.getAttribute('aria-valuemax'));
    soak.addFigure('steps', last, '');
    const backlog = page
      .locator('.conversation-pane .pane-head')
      .getByText(/\d+ updates waiting, (?:\d+:)?\d+\.\d{3}/);
    let stepsWithBacklog = 0;
    for (let step = 1; step <= last; step++) {
      soak.showProgress(`step ${step} of ${last}`);
      await page.evaluate((wanted) => void (location.hash = `#step=${wanted}`), step);
      await soak.waitFor(
        'each step is shown within 10 s',
        10,
        async () => (await page.locator(`[data-drawn="${step}"]`).count()) > 0,
      );
      stepsWithBacklog += await backlog.count();
    }
    await soak.waitFor(
      'the last message is shown',
      10,
      async () => (await page.locator('[data-message-id="last"]').count()) > 0,
    );
    soak.check('the inspector says how many updates wait and for how long', stepsWithBacklog > 0);
    soak.check('the inspector has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
  },
});

/** Starts `replay open` on a file. Returns the inspector's address. */
async function startInspector(soak: Soak, file: string): Promise<string> {
  const program = join(soak.programs, 'replay', 'cli.js');
  const child = spawn(process.execPath, [program, 'open', file, '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = followChild(child);
  soak.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  return soak.waitFor('the inspector starts within 20 s', 20, () => OPEN.exec(printed)?.groups?.url);
}
