import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { readCapture } from './readCapture.ts';
import { captureName } from './stdin.ts';

/** A complete capture in memory, for code that needs more than a stream of records. */
export interface Capture {
  /** Its path, or `stdin`. */
  readonly path: string;
  readonly header: CaptureHeader;
  /** In the form of the current version, whatever version the file has. */
  readonly records: readonly CaptureRecord[];
  /** Problems that do not prevent the use of the capture. */
  readonly warnings: readonly string[];
}

/**
 * Reads a capture into memory.
 * @throws {CaptureError} when it cannot be read.
 */
export async function loadCapture(path: string): Promise<Capture> {
  const reader = await readCapture(path);
  const records: CaptureRecord[] = [];
  for await (const batch of reader.records()) for (const record of batch) records.push(record);
  return { path: captureName(path), header: reader.header, records, warnings: reader.warnings };
}
