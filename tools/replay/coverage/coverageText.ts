import { pluralize } from '#shared/pluralize.ts';
import { describeEnd } from '../verify/reporters/reporter.ts';
import type { CoverageDocument } from './coverageDocument.ts';
import type { CoverageEnd } from './collectCoverage.ts';

/** Formats a coverage for people: each branch that no capture reaches, then a table of the files. */
export function coverageText(
  { files, unreached, captures, ...total }: CoverageDocument,
  interruptedBy: CoverageEnd['interruptedBy'],
): string {
  const stopped = interruptedBy === undefined ? undefined : describeEnd(interruptedBy);
  const rows = [
    ...files.map(({ file, ...share }) => [file, ...shareCells(share)]),
    ['all', ...shareCells(total)],
  ];
  const places = unreached.map(({ file, line, column, kind, text }) => [
    `${file}:${line}:${column}`,
    kind,
    text,
  ]);
  const lines = [
    ...aligned(places),
    ...(places.length > 0 ? [''] : []),
    ...aligned([['file', 'reached', 'branches', '%'], ...rows]),
    '',
    ...(stopped === undefined ? [] : [stopped]),
    `${pluralize(captures, 'capture')}: ${total.reached} of ${total.branches} branches reached`,
  ];
  return `${lines.join('\n')}\n`;
}

const shareCells = ({
  reached,
  branches,
}: {
  readonly reached: number;
  readonly branches: number;
}): string[] => [
  `${reached}`,
  `${branches}`,
  // Rounded down: 100 means all.
  (Math.floor((reached / branches) * 1000) / 10).toFixed(1),
];

/** Formats rows as columns; the last column has any width. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, i) => Math.max(all[i] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  '),
  );
}
