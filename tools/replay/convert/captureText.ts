import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';

/** A capture file's text, in pieces. `onRecord` hears of each record as it is written. */
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
