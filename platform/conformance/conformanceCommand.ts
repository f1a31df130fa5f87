import { errorLine, pluralize } from '#shared/formatText.ts';
import type { Clock } from '#shared/clock.ts';
import { type ConformanceArguments, readConformanceOptions } from './conformanceOptions.ts';
import { ConformanceError, type ReportRow, runConformance } from './runConformance.ts';
import type { Outcome } from './subject.ts';

/** The part of the process that the command uses. */
interface ConformanceProcess {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isOutColored: boolean;
  /** Progress is shown on a terminal only. */
  readonly isErrTerminal: boolean;
  readonly clock: Clock;
  /** Aborted by SIGINT or SIGTERM; the reason is the exit status. */
  readonly signal: AbortSignal;
}

const ERASE_LINE = '\r\u001B[K';
const INTERRUPTED = 130;

/** Runs `conformance <url>`. Resolves to the exit status: 0 no check failed, 1 a check failed, 2 bad usage or unreachable. */
export async function conformanceCommand(
  argv: readonly string[],
  process: ConformanceProcess,
): Promise<number> {
  const options = readConformanceOptions(argv, process);
  if ('exitCode' in options) return options.exitCode;
  try {
    return report(await run(options, process), options, process);
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    process.err(errorLine(error.message));
    return 2;
  }
}

async function run(
  options: ConformanceArguments,
  process: ConformanceProcess,
): Promise<readonly ReportRow[]> {
  const { clock, signal, isErrTerminal, err } = process;
  const show = (text: string) => void (isErrTerminal && err(`${ERASE_LINE}${text}`));
  const onProgress = (done: number, total: number) => show(`testing  ${done} of ${total}`);
  try {
    return await runConformance({ ...options, clock, signal, onProgress });
  } finally {
    show('');
  }
}

function report(
  rows: readonly ReportRow[],
  options: ConformanceArguments,
  { out, isOutColored, signal }: ConformanceProcess,
): number {
  const { apiUrl, platformUrl } = options;
  out(options.json ? formatReportJson(rows, { apiUrl, platformUrl }) : formatReport(rows, isOutColored));
  if (signal.aborted) return typeof signal.reason === 'number' ? signal.reason : INTERRUPTED;
  return countResults(rows).failed > 0 ? 1 : 0;
}

const WORDS: Readonly<Record<Outcome['result'], string>> = {
  ok: 'ok',
  failed: 'failed',
  notTested: 'not tested',
};
/** Codes of colors: green, red, yellow. */
const COLORS: Readonly<Record<Outcome['result'], number>> = { ok: 32, failed: 31, notTested: 33 };

/** Returns the number of rows with each result. */
const countResults = (rows: readonly ReportRow[]): Readonly<Record<Outcome['result'], number>> => {
  const counts = { ok: 0, failed: 0, notTested: 0 };
  for (const { outcome } of rows) counts[outcome.result]++;
  return counts;
};

/** Formats the report as a table: the row of the specification, the result, and what was checked. */
function formatReport(rows: readonly ReportRow[], isColored: boolean): string {
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
const formatReportJson = (
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
