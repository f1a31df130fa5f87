import { setImmediate } from 'node:timers/promises';
import type { CaptureHeader } from '#shared/capture/captureFormat.ts';
import type { ReadOptions } from '../read/readBytes.ts';
import { readCapture } from '../read/readCapture.ts';
import type { SessionWalk } from './sessionWalk.ts';

/** What takes the records of a capture, as a {@link SessionWalk} does. */
interface Taking extends Pick<SessionWalk, 'take' | 'pass'> {
  /** Whether no further step is needed. */
  readonly isDone: boolean;
}

/** The number of updates released at a time; signals are handled between them. */
const PIECE = 10_000;

/**
 * Streams a capture through a walk; the records are never all in memory.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function walkCapture(
  path: string,
  walk: Taking,
  options: ReadOptions = {},
): Promise<{ readonly header: CaptureHeader; readonly warnings: readonly string[] }> {
  const { header, placed, warnings } = await readCapture(path, options);
  for await (const { records, placeOf } of placed()) {
    for (const [i, record] of records.entries()) {
      while (walk.pass(record, PIECE)) await setImmediate();
      walk.take(record, placeOf?.(i));
      if (walk.isDone) return { header, warnings };
    }
  }
  while (!walk.isDone && walk.pass(undefined, PIECE)) await setImmediate();
  return { header, warnings };
}
