import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';

/** Formats a capture file, in pieces. Calls `onRecord` for each record. */
export async function* captureText(
  header: CaptureHeader,
  batches: AsyncIterable<readonly CaptureRecord[]>,
  onRecord: (record: CaptureRecord) => void = () => {},
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(header)}\n`;
  for await (const batch of batches) {
    for (const record of batch) {
      onRecord(record);
      yield `${JSON.stringify(record)}\n`;
    }
  }
}
