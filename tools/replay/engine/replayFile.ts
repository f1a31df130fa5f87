import { performance } from 'node:perf_hooks';
import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { type ReadOptions, readCapture } from '../read/readCapture.ts';
import type { Replay } from './parley.ts';
import type { Engine } from './replay.ts';

/** The replay of a file, with the warnings of its reader. */
export interface FileReplay<Result = Replay> {
  readonly header: CaptureHeader;
  readonly replay: Result;
  readonly warnings: readonly string[];
  /** The time from opening the file to the last folded update, milliseconds. */
  readonly wallMs: number;
}

type Batches = AsyncIterable<readonly CaptureRecord[]>;

interface Options<E> extends ReadOptions {
  /** Passes the records to the engine; as fast as possible by default. */
  readonly drive?: ((batches: Batches, engine: E) => Promise<void>) | undefined;
}

/**
 * Streams a capture through an engine; the records are never all in memory.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function replayFile<E extends Engine>(
  path: string,
  engine: E,
  { drive = atOnce, onRead }: Options<E> = {},
): Promise<FileReplay<ReturnType<E['finish']>>> {
  const start = performance.now();
  const { header, records, warnings } = await readCapture(path, { onRead });
  await drive(records(), engine);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const replay = engine.finish() as ReturnType<E['finish']>;
  return { header, replay, warnings, wallMs: performance.now() - start };
}

/** Passes the records as fast as possible. */
async function atOnce(batches: Batches, engine: Engine): Promise<void> {
  for await (const batch of batches) {
    if (!batch.every((record) => engine.take(record))) return;
  }
}
