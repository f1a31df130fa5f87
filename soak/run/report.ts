import { cpus, totalmem, type, release } from 'node:os';
import type { Figure, ScenarioResult } from './scenario.ts';

const NUMBER = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3, useGrouping: false });

const valueOf = ({ value, unit }: Figure) => `${NUMBER.format(value)} ${unit}`.trimEnd();

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** One scenario's result as people read it: a verdict, the figures, the assertions. */
export function reportOf({
  scenario,
  sentence,
  outcome,
  note,
  seconds,
  checks,
  figures,
}: ScenarioResult): string {
  const width = Math.max(0, ...figures.map(({ name }) => name.length));
  return [
    '',
    `${scenario}: ${outcome} after ${NUMBER.format(seconds)} s${note === '' ? '' : ` (${note})`}`,
    ...indented([
      sentence,
      ...figures.map((figure) => `${figure.name.padEnd(width)}  ${valueOf(figure)}`),
      ...checks.map(
        ({ name, passed, detail }) =>
          `${passed ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`,
      ),
    ]),
    '',
  ].join('\n');
}

/** All results in one table. */
export function summaryOf(results: readonly ScenarioResult[]): string {
  const width = Math.max(0, ...results.map(({ scenario }) => scenario.length));
  const rows = results.map(
    ({ scenario, outcome, seconds, checks }) =>
      `${scenario.padEnd(width)}  ${outcome.padEnd(11)}  ${NUMBER.format(seconds).padStart(6)} s  ` +
      `${checks.filter(({ passed }) => passed).length} of ${checks.length} assertions`,
  );
  return ['', ...rows, ''].join('\n');
}

/** The machine that figures are measured on. */
export const machine = () => ({
  system: `${type()} ${release()}`,
  processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  node: process.version,
});

const cell = (text: string) => text.replaceAll('|', '\\|');

/** The results as the tables of docs/reliability.md. */
export function markdownOf(
  results: readonly ScenarioResult[],
  measuredOn: ReturnType<typeof machine>,
): string {
  const { system, processor, memory, node } = measuredOn;
  return [
    `Measured on ${processor}, ${memory}, ${system}, Node ${node}.`,
    '',
    '| scenario | length | outcome | figures |',
    '|---|---|---|---|',
    ...results.map(
      ({ scenario, length, outcome, figures, seconds }) =>
        `| ${scenario} | ${length}, ${Math.round(seconds)} s | ${outcome} | ` +
        `${figures.map((figure) => cell(`${figure.name}: ${valueOf(figure)}`)).join('<br>')} |`,
    ),
    '',
  ].join('\n');
}
