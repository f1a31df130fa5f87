import type { CaptureRecord } from '#shared/capture/format.ts';
import { createFold } from './createFold.ts';
import type { Limits, Replay } from './replay.ts';

/** Folds records in memory, up to a limit. */
export function replayRecords(records: readonly CaptureRecord[], limits: Limits = {}): Replay {
  const engine = createFold(limits);
  records.every((record) => engine.take(record));
  return engine.finish();
}
