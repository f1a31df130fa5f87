import { type BenchmarkResult, type Row, type Target, isReached } from './benchmark.ts';

const THREE_DIGITS = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

const written = (value: string | number): string =>
  typeof value === 'string' ? value : THREE_DIGITS.format(value);

/** Lines of cells, each column as wide as its widest; what holds numbers stands to the right. */
function table(rows: readonly Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => written(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const isNumber = columns.map((column) => typeof rows[0]?.[column] === 'number');
  return cells.map((line) =>
    line
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const verdict = (target: Target): string =>
  `${isReached(target) ? 'ok    ' : 'MISSED'}  ${target.name}: ${written(target.measured)} (${target.bound} ${target.limit})`;

/** A benchmark's result as people read it. */
export const report = (title: string, { rows, targets }: BenchmarkResult): string =>
  ['', title, '', ...table(rows), '', ...targets.map(verdict), ''].join('\n');
