import { quoteForShell } from '#files/quoteForShell.ts';
import type { ResultRecord } from '../resultRecord.ts';

/** Returns the number of the update at which a result fails; `undefined` when no update does. */
export const failingUpdate = ({ difference }: ResultRecord): number | undefined =>
  difference?.mutated?.update ?? difference?.update?.number;

/**
 * Returns the command that opens the inspector at the step of a failure; `undefined` when the result has no difference to look at.
 * @param app the adapter of another app: then the command prints the state after that step.
 */
export function inspectCommand(record: ResultRecord, app?: string): string | undefined {
  if (record.difference === undefined) return undefined;
  const update = failingUpdate(record);
  const { capture } = record;
  const path = capture.startsWith('-') ? `./${capture}` : capture;
  const option = (name: string) => (update === undefined ? '' : ` --${name} ${update}`);
  if (app === undefined) return `npm run replay -- open ${quoteForShell(path)}${option('update')}`;
  const adapter = quoteForShell(app);
  return `npm run replay -- run ${quoteForShell(path)} --app ${adapter}${option('until')} --with state,display`;
}
