import type { CaptureReader } from '../read/readCapture.ts';
import type { Aliases } from './aliases.ts';
import { redactHeader, redactRecord } from './redactCapture.ts';

/** A redaction in progress. */
interface Redaction {
  readonly aliases: Aliases;
  readonly keepsTime: boolean;
  /** As in `redactRecord`. */
  readonly codes?: ReadonlySet<string> | undefined;
  /** The number of records so far. */
  records: number;
}

/** Formats the redacted capture as a file, one piece for each part that is read. */
export async function* redactedText(
  { header, records }: CaptureReader,
  redaction: Redaction,
): AsyncGenerator<string, void> {
  const { aliases, keepsTime, codes } = redaction;
  yield `${JSON.stringify(redactHeader(header, aliases, keepsTime))}\n`;
  for await (const batch of records()) {
    redaction.records += batch.length;
    yield batch.map((record) => `${JSON.stringify(redactRecord(record, aliases, codes))}\n`).join('');
  }
}
