import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import {
  type BrokenLines,
  type Bytes,
  CaptureError,
  type LinePiece,
  captureDecoder,
  lineReader,
} from './captureDecoder.ts';

/** Creates a loader that reads the bytes of a whole capture into memory. It gives no warnings: the loader of the trace does. */
export function recordLoader(name: string, brokenLines: BrokenLines) {
  const reader = lineReader(name);
  const decoder = captureDecoder({ name, brokenLines, onWarning: () => undefined });
  const records: CaptureRecord[] = [];
  let header: CaptureHeader | undefined;
  const takePiece = (piece: LinePiece) => {
    if (decoder.isOver()) return;
    header ??= decoder.header(piece).header;
    decoder.records(piece, (record) => void records.push(record));
  };
  return {
    /** @throws {CaptureError} at the first line that cannot be used. */
    take: (bytes: Bytes): void => reader.take(bytes).forEach(takePiece),
    warn: () => undefined,
    /** Returns the capture when all bytes have been taken. @throws {CaptureError} when there is no header. */
    capture() {
      const rest = reader.rest();
      if (rest !== undefined) takePiece(rest);
      if (header === undefined) throw new CaptureError(`${name}: is empty`);
      return { header, records };
    },
  };
}
