import { parleyApp } from '#replay/parley/parleyApp.ts';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goldenPath } from '#replay/golden/goldenFile.ts';
import { verifyCaptures } from '#replay/verify/verifyCaptures.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { STREAMED_TEXTS, conversationFrames, writeCaptureFile } from '../base/captures.ts';

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
  for await (const { outcome } of verifyCaptures(recorded, {
    own: parleyApp,
    update: true,
    workerFile: WORKER_FILE,
  }))
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

/** The place of a capture in a corpus. */
interface CapturePlace {
  readonly folder: string;
  /** The number of the capture, from 0. */
  readonly index: number;
  /** The number of different sessions in the corpus. */
  readonly sessions: number;
}

const CAPTURES_PER_FOLDER = 1000;

const padded = (value: number, length: number): string => String(value).padStart(length, '0');

/** Returns the path of a capture: `<copy>/<part>/<session>.parley.jsonl`. Copy 0 contains each session once. */
function capturePath({ folder, index, sessions }: CapturePlace): string {
  const session = index % sessions;
  const copy = padded(Math.floor(index / sessions), 3);
  const part = padded(Math.floor(session / CAPTURES_PER_FOLDER), 3);
  return join(folder, copy, part, `${padded(session, 6)}.parley.jsonl`);
}

/** The captures that fail for one cause. */
interface Planted {
  readonly cause: string;
  readonly captures: readonly string[];
}

interface PlantingOptions {
  /** Number of captures. */
  readonly captures: number;
  readonly sessions: number;
  readonly pathOf: (index: number) => string;
  readonly random: () => number;
}

/** Replaces a part of a file, which must contain it. */
function replaceIn(path: string, [from, to]: readonly [string, string]): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path}: does not contain ${from}`);
  writeFileSync(path, text.replace(from, to));
}

/** The causes, with the number of captures that each one gets. */
const CAUSES = [
  {
    cause: 'the golden has another name after the first update',
    count: 400,
    plant: (path: string) => replaceIn(goldenPath(path), ['"person":"Ada Lovelace"', '"person":"Ada Byron"']),
  },
  {
    cause: 'the golden has other initials after the first update',
    count: 30,
    plant: (path: string) =>
      replaceIn(goldenPath(path), ['"display.initials":"AL"', '"display.initials":"AB"']),
  },
  {
    cause: 'the capture is damaged',
    count: 1,
    plant: (path: string) => replaceIn(path, ['"format":"parley-capture"', '"format":"other"']),
  },
  { cause: 'the golden is missing', count: 1, plant: (path: string) => rmSync(goldenPath(path)) },
] as const;

/**
 * Changes copies of goldens and captures so that each fails for one known cause. A corpus with fewer than 1,000 copies gets no failures.
 */
function plantFailures({ captures, sessions, pathOf, random }: PlantingOptions): Planted[] {
  const taken = new Set<number>();
  const copies = captures - sessions;
  const next = (): number => {
    const index = sessions + Math.floor(random() * copies);
    if (taken.has(index)) return next();
    taken.add(index);
    return index;
  };
  return CAUSES.map(({ cause, count, plant }) => {
    const failing = Array.from({ length: copies >= 1000 ? count : 0 }, () => pathOf(next()));
    for (const path of failing) plant(path);
    return { cause, captures: failing };
  });
}
