import { quoteForShell } from '#files/quoteForShell.ts';
import type { ResultRecord } from '../resultRecord.ts';

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
