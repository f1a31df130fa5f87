import { quoteForShell } from '#node/fileErrorReason.ts';
import type { Output } from '../base/output.ts';
import type { FailureGroup, Totals } from './failureGroups.ts';
import type { ResultRecord } from './resultRecord.ts';
import type { RunEnd, Shard } from './resultsFile.ts';

/** The end of a run. */
export interface Ending {
  readonly end: RunEnd;
  readonly totals: Totals;
  readonly groups: readonly FailureGroup[];
  /** Duration of the run, seconds; of a merge, the sum of the captures' replays. */
  readonly seconds: number;
}

/** Prints the results of a run. */
export interface Reporter {
  /** Prints a result, or keeps what its report needs. */
  add(record: ResultRecord, group: FailureGroup | undefined): void;
  end(ending: Ending): void | Promise<void>;
}

/** What reporters need. */
export interface ReporterOptions {
  readonly output: Output;
  /** What the user can do about a difference. */
  readonly advice: string;
  /** The command whose results these are. */
  readonly command: string;
  /** The options on which the results depend, as the user wrote them. */
  readonly options?: string;
  /** Whether the results are those of several reports: the report then lists failures and new goldens, and counts the other captures. */
  readonly isMerge?: boolean | undefined;
  readonly shard?: Shard | undefined;
  /** The adapter of another app. */
  readonly app?: string | undefined;
  /** The revision whose results are expected, if it is not a golden. */
  readonly base?: string | undefined;
}

/** Returns whether a merged report lists a result. */
export const isListed = ({ outcome, golden }: ResultRecord): boolean =>
  outcome !== 'same' && golden !== 'unchanged';

/** Returns in words what stopped a run; `undefined` when nothing did. */
export function describeEnd(end: RunEnd): string | undefined {
  switch (end) {
    case 'complete':
      return undefined;
    case 'error':
      return 'stopped by an error: these are the results so far';
    case 'max-failures':
      return 'stopped by --max-failures: these are the results so far';
    case 'SIGINT':
    case 'SIGTERM':
      return `interrupted by ${end}: these are the results so far`;
    default:
      return end satisfies never;
  }
}

/** Returns where the inspector shows a failure: an update, or a time when no update differs; `undefined` when neither is known. */
export function failingPlace({
  difference,
}: ResultRecord): { readonly update: number } | { readonly t: number } | undefined {
  const update = difference?.mutated?.update ?? difference?.update?.number;
  if (update !== undefined) return { update };
  return difference?.at === undefined ? undefined : { t: difference.at };
}

/** What replayed a capture. */
export interface Replayed {
  /** The adapter of another app. */
  readonly app?: string | undefined;
  /** The revision whose replay is expected: the inspector then shows it beside. */
  readonly base?: string | undefined;
}

/**
 * Returns the command that opens the inspector at the step of a failure; `undefined` when the result has no difference to look at.
 */
export function inspectCommand(record: ResultRecord, { app, base }: Replayed = {}): string | undefined {
  if (record.difference === undefined) return undefined;
  const place = failingPlace(record);
  const { capture } = record;
  const path = capture.startsWith('-') ? `./${capture}` : capture;
  const revision = base === undefined ? '' : ` --base ${quoteForShell(base)}`;
  const at = place === undefined ? '' : 'update' in place ? ` --update ${place.update}` : ` --at ${place.t}`;
  const adapter = app === undefined ? '' : ` --app ${quoteForShell(app)}`;
  return `npm run replay -- open ${quoteForShell(path)}${adapter}${revision}${at}`;
}
