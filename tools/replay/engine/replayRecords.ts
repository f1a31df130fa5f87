import type { CaptureRecord } from '#shared/capture/format.ts';
import { createFold } from './createFold.ts';
import type { Limits, Replay } from './replay.ts';

/** Folds records that are in memory already, up to a limit. */
export function replayRecords(records: readonly CaptureRecord[], limits: Limits = {}): Replay {
  const engine = createFold(limits);
  records.every((record) => engine.take(record));
  return engine.finish();
}
