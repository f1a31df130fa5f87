import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goldenPath } from '#replay/golden/goldenFile.ts';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import { seededRandom } from '#tests/builders/seededRandom.ts';
import { STREAMED_TEXTS, conversationFrames } from '../base/conversationFrames.ts';
import { writeCaptureFile } from '../base/writeCaptureFile.ts';
import { capturePath } from './capturePath.ts';
import { plantFailures } from './plantFailures.ts';

interface CorpusOptions {
  readonly folder: string;
  /** Number of captures. */
  readonly captures: number;
  /** Number of different sessions. */
  readonly sessions: number;
  readonly progress: (text: string) => void;
}

const SEED = 20_261_122;
const FRAMES = { least: 45, most: 55 };
const FRAME_MS = 40;

/** The built worker of the replay tool. */
const WORKER_FILE = join(import.meta.dirname, '..', 'replay', 'verifyWorker.js');

/**
 * Writes a corpus: different sessions with goldens that `verify` records, copies of both files under other names, and failures, which
 * `planted.json` lists. The same options give the same files.
 */
export async function writeCorpus({ folder, captures, sessions, progress }: CorpusOptions): Promise<void> {
  mkdirSync(folder);
  const pathOf = (index: number) => capturePath({ folder, index, sessions });
  progress(`writing ${sessions} sessions`);
  const recorded = Array.from({ length: sessions }, (_, index) => pathOf(index));
  await writeSessions(recorded);
  progress('recording their goldens');
  for await (const { outcome } of verifyCaptures(recorded, { update: true, workerFile: WORKER_FILE }))
    if (outcome !== 'written') throw new Error('a golden was not written');
  progress(`copying them as ${captures - sessions} further captures`);
  for (const [session, path] of recorded.entries())
    copySession(path, { from: session + sessions, step: sessions, captures, pathOf });
  const planted = plantFailures({ captures, sessions, pathOf, random: seededRandom(SEED) });
  writeFileSync(join(folder, 'planted.json'), `${JSON.stringify(planted, null, 2)}\n`);
  progress(planted.map(({ cause, captures: { length } }) => `planted: ${length} × ${cause}`).join('\n'));
}

async function writeSessions(paths: readonly string[]): Promise<void> {
  const random = seededRandom(SEED);
  for (const [session, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    const length = FRAMES.least + Math.floor(random() * (FRAMES.most - FRAMES.least + 1));
    await writeCaptureFile(
      path,
      conversationFrames(length, { seed: SEED + session, mix: STREAMED_TEXTS }),
      FRAME_MS,
    );
  }
}

interface Copies {
  readonly from: number;
  readonly step: number;
  readonly captures: number;
  readonly pathOf: (index: number) => string;
}

/** Writes copies of a capture and of its golden. */
function copySession(path: string, { from, step, captures, pathOf }: Copies): void {
  const capture = readFileSync(path);
  const golden = readFileSync(goldenPath(path));
  for (let index = from; index < captures; index += step) {
    const copy = pathOf(index);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, capture);
    writeFileSync(goldenPath(copy), golden);
  }
}
