import { quoteForShell } from '#files/quoteForShell.ts';
import type { ResultRecord } from '../resultRecord.ts';

/** Returns the number of the update at which a result fails; `undefined` when no update does. */
export const failingUpdate = ({ difference }: ResultRecord): number | undefined =>
  difference?.mutated?.update ?? difference?.update?.number;

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
  const update = failingUpdate(record);
  const { capture } = record;
  const path = capture.startsWith('-') ? `./${capture}` : capture;
  const revision = base === undefined ? '' : ` --base ${quoteForShell(base)}`;
  const at = update === undefined ? '' : ` --update ${update}`;
  const adapter = app === undefined ? '' : ` --app ${quoteForShell(app)}`;
  return `npm run replay -- open ${quoteForShell(path)}${adapter}${revision}${at}`;
}
