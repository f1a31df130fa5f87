import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { goldenPath } from '#replay/golden/goldenFile.ts';

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
export function plantFailures({ captures, sessions, pathOf, random }: PlantingOptions): Planted[] {
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
