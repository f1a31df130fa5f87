import type { Output } from '../base/output.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { type CaptureResult, countResults } from './captureResult.ts';
import { junit } from './junit.ts';
import { pretty } from './pretty.ts';

/** The formats of the report. */
export const REPORTERS = ['pretty', 'json', 'junit'] as const;
/** A format of the report. */
export type Reporter = (typeof REPORTERS)[number];

interface ReportOptions {
  readonly reporter: Reporter;
  readonly seconds: number;
  /** What the user can do about a difference. */
  readonly advice: string;
}

/** Prints the results on `out` and the warnings on `err`. */
export function report(results: readonly CaptureResult[], output: Output, options: ReportOptions): void {
  for (const { warnings } of results) printWarnings(output, warnings);
  output.out(textOf(results, output, options));
}

function textOf(
  results: readonly CaptureResult[],
  { isOutColored: isColored }: Output,
  { reporter, seconds, advice }: ReportOptions,
): string {
  switch (reporter) {
    case 'pretty':
      return pretty(results, { isColored, advice, seconds });
    case 'json':
      return `${JSON.stringify({ ...countResults(results), seconds, results })}\n`;
    case 'junit':
      return junit(results, seconds);
    default:
      return reporter satisfies never;
  }
}
