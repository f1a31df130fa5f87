import { pluralize } from '#shared/formatText.ts';
import { describeEnd } from '../verify/reporter.ts';
import type { CoverageEnd } from './collectCoverage.ts';
import type { SourceBranch } from './loadBranches.ts';

/** The number of branches, and of those that are reached. */
interface Share {
  readonly reached: number;
  readonly branches: number;
}

/** The coverage of captures, as `--json` prints it. */
export interface CoverageDocument extends Share {
  readonly interrupted: boolean;
  /** The number of captures that were replayed. */
  readonly captures: number;
  readonly problems: readonly string[];
  /** By file. */
  readonly files: readonly (Share & { readonly file: string })[];
  /** The branches that no capture reaches, by file and place. */
  readonly unreached: readonly SourceBranch[];
}

interface Covered extends Pick<CoverageEnd, 'all' | 'problems' | 'interruptedBy'> {
  /** The numbers of the branches that a capture reaches. */
  readonly reached: ReadonlySet<number>;
  readonly captures: number;
}

/** Creates the document of a coverage. */
export function coverageDocument(covered: Covered): CoverageDocument {
  const { all, reached, captures, problems, interruptedBy } = covered;
  const files = new Map<string, { readonly file: string; reached: number; branches: number }>();
  all.forEach(({ file }, number) => {
    const share = files.get(file) ?? { file, reached: 0, branches: 0 };
    share.branches++;
    if (reached.has(number)) share.reached++;
    files.set(file, share);
  });
  return {
    interrupted: interruptedBy !== undefined,
    captures,
    problems,
    reached: reached.size,
    branches: all.length,
    files: [...files.values()].sort((a, b) => byText(a.file, b.file)),
    unreached: all
      .filter((_, number) => !reached.has(number))
      .map(({ file, line, column, kind, text }) => ({ file, line, column, kind, text }))
      .sort((a, b) => byText(a.file, b.file) || a.line - b.line || a.column - b.column),
  };
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

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

const shareCells = ({ reached, branches }: Share): string[] => [
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
