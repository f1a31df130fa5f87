import type { ParleyToolsBridge, StartFailure } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** Returns a cell with the start failure because of which the conversation is not opened; `null` when there is none. */
export function followStartFailure(tools: Pick<ParleyToolsBridge, 'on'>): Cell<StartFailure | null> {
  const failure = cell<StartFailure | null>(null);
  tools.on('startFailed', failure.set);
  return failure;
}
