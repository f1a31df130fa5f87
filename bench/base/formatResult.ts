import { type BenchmarkResult, type Row, type Target, isReached } from './benchmark.ts';

const THREE_DIGITS = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

const formatValue = (value: string | number): string =>
  typeof value === 'string' ? value : THREE_DIGITS.format(value);

/** Formats rows as lines with aligned columns; numbers are aligned to the right. */
function formatTable(rows: readonly Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatValue(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const isNumber = columns.map((column) => typeof rows[0]?.[column] === 'number');
  return cells.map((line) =>
    line
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const formatTarget = (target: Target): string =>
  `${isReached(target) ? 'ok    ' : 'MISSED'}  ${target.name}: ${formatValue(target.measured)} (${target.bound} ${target.limit})`;

/** Formats the result of a benchmark for a terminal. */
export const formatResult = (title: string, { rows, targets }: BenchmarkResult): string =>
  ['', title, '', ...formatTable(rows), '', ...targets.map(formatTarget), ''].join('\n');
