import type { CheckResult } from './check.ts';

const HEADER = { name: 'check', result: 'result', detail: 'detail' };

/** Returns a table of the results, below its title. */
export function formatResults(title: string, results: readonly CheckResult[]): string {
  const rows = [HEADER, ...results];
  const width = Math.max(...rows.map(({ name }) => name.length));
  const line = ({ name, result, detail }: typeof HEADER) =>
    `${name.padEnd(width)}  ${result.padEnd('not run'.length)}  ${detail}`.trimEnd();
  return `${title}\n\n${rows.map((row) => `${line(row)}\n`).join('')}`;
}
