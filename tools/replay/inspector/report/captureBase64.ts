import { createReadStream } from 'node:fs';
import { type Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type CaptureReader, readCapture } from '../../read/readCapture.ts';
import { isS3Url } from '../../s3/s3.ts';
import { STDIN, detectFormat } from '../../read/stdin.ts';
import { captureText } from '../../convert/harText.ts';
import { isHar } from '../../read/readHarCapture.ts';
import { codesOf, redactedText } from '../../convert/redactCapture.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import { createAliases } from '../../convert/redactValue.ts';

interface Options {
  /** Whether personal data is replaced by aliases. */
  readonly redact: boolean;
  /** The adapter of another app than Parley. */
  readonly adapter?: AppAdapter | undefined;
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Receives the warnings of the reader. */
  readonly onWarning: (text: string) => void;
}

/** Three bytes are four characters of base64, so pieces of a multiple of three bytes can be concatenated. */
const GROUP = 3;

/**
 * Yields the gzipped capture as base64, in pieces.
 * @throws {CaptureError} when the file cannot be read, or its header or first record is invalid. What is before another broken line is written, with a warning.
 */
export async function* captureBase64(path: string, options: Options): AsyncGenerator<string, void> {
  let left = Buffer.alloc(0);
  for await (const chunk of await gzipped(path, options)) {
    if (!Buffer.isBuffer(chunk)) continue;
    const bytes = Buffer.concat([left, chunk]);
    const whole = bytes.length - (bytes.length % GROUP);
    left = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield left.toString('base64');
}

async function gzipped(path: string, options: Options): Promise<Readable> {
  const reader = await readCapture(path, { ...options, brokenLines: 'end' });
  if (options.redact) {
    const codes = codesOf(options.adapter);
    const redaction = { aliases: createAliases(), keepsTime: false, codes, records: 0 };
    return zip(readWithWarnings(redactedText(reader, redaction), reader, options));
  }
  if (path === STDIN)
    return zip(readWithWarnings(captureText(reader.header, reader.records()), reader, options));
  for await (const _ of reader.records());
  // Every line has been read. A file that was cut off, or has a broken line, is written without that line and what follows; any other unchanged.
  if (isHar(path) || isS3Url(path) || reader.warnings.length > 0) {
    const again = await readCapture(path, { brokenLines: 'end' });
    return zip(readWithWarnings(captureText(again.header, again.records()), again, options));
  }
  const { stream, isZipped } = await detectFormat(createReadStream(path));
  return isZipped ? stream : zip(stream);
}

/** Yields the text of a capture; at the end, reports the warnings of the reader. */
async function* readWithWarnings(
  pieces: AsyncIterable<string>,
  { warnings }: CaptureReader,
  { onWarning }: Options,
) {
  yield* pieces;
  warnings.forEach(onWarning);
}

/** Compresses the text; the stream fails when its source fails. */
const zip = (text: Readable | AsyncIterable<string>): Readable =>
  pipeline(text, createGzip(), () => undefined);
