import { quoteForShell } from '#files/quoteForShell.ts';
import type { ResultRecord } from '../resultRecord.ts';

/** Returns the number of the update at which a result fails; `undefined` when no update does. */
export const failingUpdate = ({ difference }: ResultRecord): number | undefined =>
  difference?.mutated?.update ?? difference?.update?.number;

/** Returns the command that opens the inspector at the step of a failure; `undefined` when the result has no difference to look at. */
export function inspectCommand(record: ResultRecord): string | undefined {
  if (record.difference === undefined) return undefined;
  const update = failingUpdate(record);
  const { capture } = record;
  const path = capture.startsWith('-') ? `./${capture}` : capture;
  return `npm run replay -- open ${quoteForShell(path)}${update === undefined ? '' : ` --update ${update}`}`;
}
