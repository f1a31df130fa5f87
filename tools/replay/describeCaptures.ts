import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { glob } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { type Adapter, replayedApp } from './adapter/checkAdapter.ts';
import type { Replayed } from './engine/sessionAdapter.ts';
import { goldenPath } from './golden/goldenFile.ts';
import { goldenText } from './golden/golden.ts';
import { findCaptures } from './read/findCaptures.ts';
import { type ResultRecord, recordOf } from './verify/resultRecord.ts';
import { resultLines, unpainted } from './verify/resultLines.ts';
import { recordTwice, verifyCapture } from './verify/verifyCapture.ts';

/** Options of {@link describeCaptures}. */
export interface DescribeOptions {
  /** The name of the suite; `captures` by default. */
  readonly name?: string;
  /** The adapter of the app whose frames the captures contain; or the app, when its goldens do not have its name. */
  readonly adapter: Adapter | Replayed;
}

const ADVICE = 'If you intended the change, run Vitest with -u and review the diff of the golden.';

/**
 * Creates a suite with one test for each capture in a folder and its subfolders. A test replays its capture with the adapter of its app, and compares the result with the capture's golden, a Vitest file snapshot: `-u` updates it. A failure shows
 * the first update that differs with before, expected and actual. A golden without a capture fails.
 * @param folder a path relative to the working directory, or a `file:` URL.
 */
export function describeCaptures(
  folder: string | URL,
  { name = 'captures', adapter }: DescribeOptions,
): void {
  const replayed = 'adapter' in adapter ? adapter : replayedApp(adapter);
  const path = resolve(folder instanceof URL ? fileURLToPath(folder) : folder);
  // oxlint-disable-next-line vitest/valid-title
  describe(name, async () => {
    const captures = await findCaptures([path]).catch((error: unknown) => {
      // oxlint-disable-next-line vitest/expect-expect
      test('finds captures', () => {
        throw error;
      });
      return [];
    });
    const named = captures.map((capture) => [relative(path, capture) || basename(path), capture] as const);
    // oxlint-disable-next-line vitest/expect-expect
    test.each(named)('replays %s to its golden', (_, capture) => matchGolden(capture, replayed));
    test('each golden has a capture', async () => {
      const known = new Set(captures.map(goldenPath));
      const goldens = await glob('**/*.golden.json', { cwd: path, absolute: true });
      const orphans = goldens.filter((golden) => !known.has(golden)).map((golden) => relative(path, golden));
      expect(orphans, 'goldens without a capture; delete them, or restore their captures').toEqual([]);
    });
  });
}

/** Replays a capture and matches its golden as a file snapshot. */
async function matchGolden(capture: string, replayed: Replayed): Promise<void> {
  const path = goldenPath(capture);
  const result = await verifyCapture(capture, replayed);
  // The capture's own result is as expected: `-u` cannot mend it.
  if (result.difference?.after !== undefined) throw new Error(problemText(result));
  // The golden's own text when it has the same content: the order of its keys does not matter.
  const isSame = result.outcome === 'same';
  const text = isSame ? await readFile(path, 'utf8') : await newGoldenText(capture, replayed);
  const matching = expect(text).toMatchFileSnapshot(path);
  // Vitest's own message is a diff of the whole file.
  const isMatching = await matching.then(
    () => true,
    () => false,
  );
  if (!isMatching) throw new Error(problemText(result));
  if (isSame) return;
  // Vitest writes the snapshot after the file's tests, and keeps the mode of an existing file.
  const { mode } = await stat(capture);
  await writeFile(path, text, { mode: mode & 0o777 });
  await chmod(path, mode & 0o777);
}

/**
 * Returns the text of a new golden.
 * @throws {Error} when the reducer is not deterministic: `-u` must not write what fails in the next run.
 */
async function newGoldenText(capture: string, replayed: Replayed): Promise<string> {
  return goldenText((await recordTwice(capture, replayed)).golden);
}

const problemText = (result: ResultRecord): string =>
  [...resultLines(recordOf(result), unpainted), ADVICE].join('\n');
