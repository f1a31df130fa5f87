import type { z } from 'zod';
import { pluralize } from '#shared/formatText.ts';
import { field, jsonDocument } from '../base/jsonDocument.ts';
import { describeEnd } from '../verify/resultsFile.ts';
import type { CoverageEnd } from './collectCoverage.ts';

/** The number of branches, and of those that are reached. */
const shareFields = {
  reached: field.number('the number of branches that a capture reaches'),
  branches: field.number('the number of all branches'),
};

/** The fields of every command that replays captures for their branches. */
export const coveringFields = {
  interrupted: field.flag('whether a signal ended the command before the last capture'),
  captures: field.number('the number of captures that were replayed'),
  problems: field.texts('one line for each capture that was not replayed to its end'),
};

export const coverageSchema = jsonDocument('coverage', 'the branches that captures reach', {
  ...coveringFields,
  ...shareFields,
  files: field.list('the share of each file, by name', {
    file: field.text('the path of a source file'),
    ...shareFields,
  }),
  unreached: field.list('the branches that no capture reaches, by file and place', {
    file: field.text('the path of the source file'),
    line: field.number('from 1'),
    column: field.number('from 1'),
    kind: field.text('the kind of the branch, such as `else`'),
    text: field.text('the first line of its code'),
  }),
});

export type CoverageDocument = z.input<typeof coverageSchema>;

interface Covered extends Pick<CoverageEnd, 'all' | 'problems' | 'interruptedBy'> {
  /** The numbers of the branches that a capture reaches. */
  readonly reached: ReadonlySet<number>;
  /** The number of captures that were replayed. */
  readonly captures: number;
}

/** Creates the document of a coverage: the shares by file, and the branches that no capture reaches, by file and place. */
export function coverageDocument({ all, reached, captures, problems, interruptedBy }: Covered) {
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
      .sort((a, b) => byText(a.file, b.file) || a.line - b.line || a.column - b.column),
  };
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Formats a coverage for people: each branch that no capture reaches, then a table of the files. */
export function coverageText(
  document: CoverageDocument,
  interruptedBy: CoverageEnd['interruptedBy'],
): string {
  const { files, unreached, captures, reached, branches } = document;
  const rows = [...files, { file: 'all', reached, branches }].map(rowOf);
  const places = unreached.map(({ kind, text, ...at }) => [`${at.file}:${at.line}:${at.column}`, kind, text]);
  const lines = [
    ...aligned(places),
    ...(places.length > 0 ? [''] : []),
    ...aligned([['file', 'reached', 'branches', '%'], ...rows]),
    '',
    ...(interruptedBy === undefined ? [] : [describeEnd(interruptedBy)]),
    `${pluralize(captures, 'capture')}: ${reached} of ${branches} branches reached`,
  ];
  return `${lines.join('\n')}\n`;
}

const rowOf = ({ file, reached, branches }: CoverageDocument['files'][number]): string[] => [
  file,
  `${reached}`,
  `${branches}`,
  // Rounded down: 100 means all.
  (Math.floor((reached / branches) * 1000) / 10).toFixed(1),
];

/** Formats rows as columns; the last column has any width. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = rows[0]?.slice(0, -1).map((_, column) => widthOf(column)) ?? [];
  return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
}
