import type { KnownRecord } from '#shared/capture/format.ts';
import { connectionConfirmed, connectionRequested } from '#shared/store/connection.ts';

const isAction = (record: KnownRecord, { type }: { readonly type: string }): boolean =>
  record.type === 'action' && record.action.type === type;

/**
 * Returns the fewest records that lead to the connection's state after `record`. A pong or a close determines the whole
 * state; a request only clears the reason of a close (spec §3.2).
 * @param before the records that lead to the state before `record`.
 */
export function connectionRecords(
  before: readonly KnownRecord[],
  record: KnownRecord,
): readonly KnownRecord[] {
  if (record.type === 'close' || isAction(record, connectionConfirmed)) return [record];
  return isAction(record, connectionRequested) ? [...before.slice(0, 1), record] : before;
}
