import type { KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed, connectionRequested } from '#shared/store/connection.ts';

const isAction = (record: KnownRecord, { type }: { readonly type: string }): boolean =>
  record.type === 'action' && record.action.type === type;

/**
 * The fewest records that bring the connection to its state after `record`, from those that did before it: a pong and a
 * close say all of it, a request only that the reason of a close is past (spec §3.2).
 */
export function connectionRecords(
  before: readonly KnownRecord[],
  record: KnownRecord,
): readonly KnownRecord[] {
  if (record.type === 'close' || isAction(record, connectionConfirmed)) return [record];
  return isAction(record, connectionRequested) ? [...before.slice(0, 1), record] : before;
}
