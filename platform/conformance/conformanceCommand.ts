import { errorLine } from '#shared/errorLine.ts';
import type { Clock } from '#shared/time/clock.ts';
import { ConformanceError } from './conformanceError.ts';
import { type ConformanceArguments, readConformanceOptions } from './conformanceOptions.ts';
import { countResults, formatReport, formatReportJson } from './formatReport.ts';
import { type ReportRow, runConformance } from './runConformance.ts';

/** The part of the process that the command uses. */
export interface ConformanceProcess {
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
