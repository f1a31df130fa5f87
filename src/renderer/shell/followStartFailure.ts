import type { ParleyToolsBridge, StartFailure } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** Follows whether the conversation is not opened because earlier starts failed. */
export function followStartFailure(tools: Pick<ParleyToolsBridge, 'on'>): Cell<StartFailure | null> {
  const failure = cell<StartFailure | null>(null);
  tools.on('startFailed', failure.set);
  return failure;
}
