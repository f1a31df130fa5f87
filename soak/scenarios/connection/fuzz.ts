import { readCorpus } from './readCorpus.ts';
import { saveFailingCapture } from '../../harness/captures.ts';
import { numberedMessage } from '../../harness/frames.ts';
import { mutateFrame } from './mutateFrame.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { answersPing } from '../../harness/answersPing.ts';
import { CheckError, scenario, type Soak } from '../../run/scenario.ts';

const BATCH = 50;
const LAST = 999_999;
const deep = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

/** Frames that must be rejected with a reason in the log. Each of them once ended the host. */
const FORBIDDEN = [
  '{"modifier":"ai","__proto__":1}',
  '{"modifier":"ai","id":"x","content":[{"category":"text","text":"x","__proto__":{"a":1}}]}',
  '{"person":"Ada","messages":[{"id":"x","extra":{"__proto__":null}}]}',
  `{"modifier":"ai","id":"x","extra":${deep(1720)}}`,
  `{"person":"Ada","messages":[],"extra":${deep(6000)}}`,
  `{"modifier":"ai","id":"x","extra":${deep(100_000)}}`,
];

/** Mutated frames of the captures, sent through a real socket while a window is open. */
export const fuzz = scenario({
  name: 'fuzz',
  sentence:
    'The platform sends mutated frames; the messenger keeps running, and a good conversation arrives afterwards.',
  short: { frames: 1000 },
  long: { frames: 50_000 },
  async run(soak, { frames }) {
    const signedIn = await startSignedIn(soak, { hooks: ['timeLapse'], env: { SOAK_TIME_LAPSE: '10' } });
    const { messenger, platform } = signedIn;
    const current = () => platform.sockets.all.at(-1) ?? signedIn.socket;
    const { page, errors } = await openPage(soak, messenger.url);

    const send = async (name: string, batch: readonly (string | Uint8Array)[]) => {
      for (const frame of batch) current().sendText(frame);
      const answers = await answersPing(current(), messenger);
      await messenger.evaluate('1').catch(() => undefined);
      if (answers && messenger.isRunning()) return;
      const path = saveFailingCapture(name, batch);
      soak.check('the messenger survives every frame', false, `the frames are in ${path}`);
      throw new CheckError('the messenger has ended');
    };

    for (const [index, frame] of FORBIDDEN.entries()) await send(`forbidden-${index}`, [frame]);
    await fuzzBatches(soak, frames, send);
    soak.check('the messenger survives every frame', true);
    soak.check('a frame with its own __proto__ is rejected', messenger.log().includes('"reason":"protoKey"'));
    soak.check('a frame that is too deep is rejected', messenger.log().includes('"reason":"tooDeep"'));

    await soak.waitFor('the platform can still send', 20, () => answersPing(current(), messenger));
    // Directly before it, frames that must not delay it.
    for (const frame of FORBIDDEN) current().sendText(frame);
    current().send({ person: 'Ada Lovelace', messages: [numberedMessage(LAST)] });
    // The queue first releases the updates that wait, 100 a second.
    await soak.waitFor(
      'a good conversation arrives in the window',
      60 + frames / 100,
      showsNewest(page, LAST),
    );
    soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
    soak.check(
      'the main process has no uncaught error',
      !/uncaught|unhandled|unexpected error/i.test(messenger.log() + messenger.printed.stderr),
    );
    soak.addFigure('frames', frames, '');
    soak.addFigure('rejected', countRejected(messenger.log()), '');
  },
});

async function fuzzBatches(
  soak: Soak,
  frames: number,
  send: (name: string, batch: readonly (string | Uint8Array)[]) => Promise<void>,
): Promise<void> {
  const corpus = readCorpus();
  const { random } = soak;
  for (let sent = 0; sent < frames; sent += BATCH) {
    if (sent % 1000 === 0) soak.showProgress(`${sent} of ${frames} frames`);
    const batch = Array.from({ length: BATCH }, () =>
      mutateFrame(corpus[Math.floor(random() * corpus.length)] ?? '{}', random),
    );
    await send(`fuzz-seed${soak.seed}-${sent}`, batch);
  }
}

/** Counts the rejected frames in a log, repeated lines included. */
function countRejected(log: string): number {
  const counts = log.split('\n').map((line) => {
    if (!line.includes('frame rejected')) return 0;
    return 1 + Number(/"repeated":(?<count>\d+)/.exec(line)?.groups?.count ?? 0);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}
