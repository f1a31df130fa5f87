import { performance } from 'node:perf_hooks';
import type { CaptureHeader } from '#shared/capture/format.ts';
import { readCapture } from './readCapture.ts';
import type { Engine, Replay } from './replay.ts';

/** A file's replay, and what reading it said. */
export interface FileReplay {
  readonly header: CaptureHeader;
  readonly replay: Replay;
  readonly warnings: readonly string[];
  /** From opening the file to the last update folded, milliseconds. */
  readonly wallMs: number;
}

/**
 * Streams a capture through an engine: the records are never all in memory.
 * @throws {CaptureError} when it cannot be read.
 */
export async function replayFile(path: string, engine: Engine): Promise<FileReplay> {
  const start = performance.now();
  const { header, records, warnings } = await readCapture(path);
  for await (const batch of records()) {
    if (!batch.every((record) => engine.take(record))) break;
  }
  const replay = engine.finish();
  return { header, replay, warnings, wallMs: performance.now() - start };
}
