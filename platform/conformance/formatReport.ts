import { pluralize } from '#shared/pluralize.ts';
import type { Outcome } from './base/outcome.ts';
import type { ReportRow } from './runConformance.ts';

const WORDS: Readonly<Record<Outcome['result'], string>> = {
  ok: 'ok',
  failed: 'failed',
  notTested: 'not tested',
};
/** Codes of colors: green, red, yellow. */
const COLORS: Readonly<Record<Outcome['result'], number>> = { ok: 32, failed: 31, notTested: 33 };

/** Returns the number of rows with each result. */
export const countResults = (rows: readonly ReportRow[]): Readonly<Record<Outcome['result'], number>> => {
  const counts = { ok: 0, failed: 0, notTested: 0 };
  for (const { outcome } of rows) counts[outcome.result]++;
  return counts;
};

/** Formats the report as a table: the row of the specification, the result, and what was checked. */
export function formatReport(rows: readonly ReportRow[], isColored: boolean): string {
  const color = (result: Outcome['result'], text: string) =>
    isColored ? `\u001B[${COLORS[result]}m${text}\u001B[0m` : text;
  const [rowWidth, idWidth] = [widthOf(rows.map(({ row }) => row)), widthOf(rows.map(({ id }) => id))];
  const lines = rows.flatMap(({ id, row, checks, outcome }) => {
    const result = color(outcome.result, WORDS[outcome.result].padEnd('not tested'.length));
    const indent = ' '.repeat(rowWidth + idWidth + 'not tested'.length + 6);
    return [
      `${row.padEnd(rowWidth)}  ${id.padEnd(idWidth)}  ${result}  ${checks}`,
      ...detailsOf(outcome).map((detail) => `${indent}${detail}`),
    ];
  });
  const { ok, failed, notTested } = countResults(rows);
  const summary = `${pluralize(rows.length, 'check')}: ${ok} ok, ${failed} failed, ${notTested} not tested`;
  return `${lines.join('\n')}\n\n${color(failed > 0 ? 'failed' : 'ok', summary)}\n`;
}

const widthOf = (cells: readonly string[]) => Math.max(0, ...cells.map(({ length }) => length));

function detailsOf(outcome: Outcome): readonly string[] {
  if (outcome.result === 'failed') return [`seen: ${outcome.seen}`, `expected: ${outcome.expected}`];
  return outcome.result === 'notTested' ? [outcome.why] : [];
}

/** Formats the report as JSON. */
export const formatReportJson = (
  rows: readonly ReportRow[],
  addresses: { readonly apiUrl: string; readonly platformUrl: string },
): string =>
  `${JSON.stringify(
    {
      ...addresses,
      ...countResults(rows),
      checks: rows.map(({ id, row, checks, outcome }) => Object.assign({ id, row, checks }, outcome)),
    },
    null,
    2,
  )}\n`;
