import { buffer } from 'node:stream/consumers';
import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { type BrokenLines, captureDecoder } from './captureDecoder.ts';
import { CaptureError } from './captureError.ts';
import { type ReadOptions, capturePieces } from './capturePieces.ts';
import type { LinePiece } from './lineReader.ts';
import { isHar, readHarCapture } from './readHarCapture.ts';
import { STDIN, captureName, openStdin } from './stdin.ts';

interface Options extends ReadOptions {
  /** What happens at a line in the middle that cannot be used; by default an error. */
  readonly brokenLines?: BrokenLines;
}

/** A capture while it is read: its header, then its records, a batch for each part of the file. */
export interface CaptureReader {
  readonly header: CaptureHeader;
  /**
   * Reads the records in order; can be called once.
   * @throws {CaptureError} at the first line that cannot be used.
   */
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** Problems that do not prevent the use of the capture; complete after the last record. */
  readonly warnings: readonly string[];
}

/**
 * Opens a capture, plain or gzipped, or a HAR that contains one WebSocket, and reads its header. `-` is stdin, which may also be a zip.
 * @throws {CaptureError} when the file cannot be read or its header cannot be used.
 */
export async function readCapture(
  path: string,
  { onRead, brokenLines }: Options = {},
): Promise<CaptureReader> {
  if (isHar(path)) return readHarCapture(path);
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  const input = path === STDIN ? await openStdin() : undefined;
  if (input?.isArchive) return readHarCapture(path, { bytes: await buffer(input.stream) });
  const decoder = captureDecoder({ name: captureName(path), onWarning, brokenLines });
  const parts = capturePieces({ path, input, onWarning, onRead });
  const { value: first } = await parts.next();
  const [start] = first ?? [];
  if (first === undefined || start === undefined) throw new CaptureError(`${captureName(path)}: is empty`);
  // Stdin has no file name that says so.
  if (path === STDIN && isHarText(first))
    return readHarCapture(path, { bytes: Buffer.from(await textOf(first, parts)) });

  const recordsOf = (pieces: readonly LinePiece[]): CaptureRecord[] => {
    const batch: CaptureRecord[] = [];
    for (const piece of pieces) decoder.records(piece, (record) => void batch.push(record));
    return batch;
  };
  async function* records() {
    try {
      yield recordsOf(first ?? []);
      for await (const pieces of parts) {
        if (decoder.isOver()) return;
        yield recordsOf(pieces);
      }
    } finally {
      await parts.return();
    }
  }
  try {
    return { header: decoder.header(start).header, records, warnings };
  } catch (error) {
    // The records will not be read: close the file.
    await parts.return();
    throw error;
  }
}

const linesOf = (pieces: readonly LinePiece[]): string[] => pieces.flatMap(({ lines }) => lines);

/** Returns whether the first lines begin a HAR, which may be indented. */
const isHarText = (pieces: readonly LinePiece[]): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(linesOf(pieces).slice(0, 10).join('\n'));

async function textOf(
  first: readonly LinePiece[],
  rest: AsyncIterable<readonly LinePiece[]>,
): Promise<string> {
  const lines = linesOf(first);
  for await (const pieces of rest) for (const line of linesOf(pieces)) lines.push(line);
  return lines.join('\n');
}
