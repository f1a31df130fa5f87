import { createReadStream } from 'node:fs';
import { type Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type CaptureReader, readCapture } from '../../read/readCapture.ts';
import { STDIN } from '../../read/stdin.ts';
import { captureText } from '../../convert/captureText.ts';
import { isHar } from '../../read/readHarCapture.ts';
import { createAliases } from '../../redact/aliases.ts';
import { redactedText } from '../../redact/redactedText.ts';

interface Options {
  /** Whether what is personal gets aliases. */
  readonly redact: boolean;
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Hears what was wrong and could be lived with. */
  readonly onWarning: (words: string) => void;
}

/** Three bytes are four characters; pieces of whole threes can be put one after another. */
const GROUP = 3;

/**
 * A capture gzipped, as base64, in pieces.
 * @throws {CaptureError} when it cannot be read, all of it.
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
  const reader = await readCapture(path, options);
  if (options.redact) {
    const redaction = { aliases: createAliases(), keepsTime: false, records: 0 };
    return zip(told(redactedText(reader, redaction), reader, options));
  }
  if (path === STDIN) return zip(told(captureText(reader.header, reader.records()), reader, options));
  for await (const _ of reader.records());
  // Every line was tried. A file that was cut off is written without its last, torn one; any other as it is.
  if (isHar(path) || reader.warnings.length > 0) {
    const again = await readCapture(path);
    return zip(told(captureText(again.header, again.records()), again, options));
  }
  const file = createReadStream(path);
  return path.endsWith('.gz') ? file : zip(file);
}

/** A capture's text; at its end, what reading it said. */
async function* told(pieces: AsyncIterable<string>, { warnings }: CaptureReader, { onWarning }: Options) {
  yield* pieces;
  warnings.forEach(onWarning);
}

/** Fails with what it reads. */
const zip = (text: Readable | AsyncIterable<string>): Readable =>
  pipeline(text, createGzip(), () => undefined);
