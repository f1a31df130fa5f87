import { cpus, totalmem, type, release } from 'node:os';
import type { Figure, ScenarioResult } from './scenario.ts';

const NUMBER = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3, useGrouping: false });

const formatFigure = ({ value, unit }: Figure) => `${NUMBER.format(value)} ${unit}`.trimEnd();

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** Formats the result of one scenario for a terminal: its outcome, figures and assertions. */
export function formatResult({
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
    ...indent([
      sentence,
      ...figures.map((figure) => `${figure.name.padEnd(width)}  ${formatFigure(figure)}`),
      ...checks.map(
        ({ name, passed, detail }) =>
          `${passed ? 'ok    ' : 'FAILED'}  ${name}${detail === '' ? '' : `: ${detail}`}`,
      ),
    ]),
    '',
  ].join('\n');
}

/** Formats the outcomes of all scenarios as a table for a terminal. */
export function formatSummary(results: readonly ScenarioResult[]): string {
  const width = Math.max(0, ...results.map(({ scenario }) => scenario.length));
  const rows = results.map(
    ({ scenario, outcome, seconds, checks }) =>
      `${scenario.padEnd(width)}  ${outcome.padEnd(11)}  ${NUMBER.format(seconds).padStart(6)} s  ` +
      `${checks.filter(({ passed }) => passed).length} of ${checks.length} assertions`,
  );
  return ['', ...rows, ''].join('\n');
}

/** Describes the machine on which figures are measured. */
export const describeMachine = () => ({
  system: `${type()} ${release()}`,
  processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
  node: process.version,
});

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

/** Formats results as a Markdown table. */
export function formatMarkdown(
  results: readonly ScenarioResult[],
  measuredOn: ReturnType<typeof describeMachine>,
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
        `${figures.map((figure) => escapeCell(`${figure.name}: ${formatFigure(figure)}`)).join('<br>')} |`,
    ),
    '',
  ].join('\n');
}
