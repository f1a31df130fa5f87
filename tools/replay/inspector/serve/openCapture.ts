import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { captureText } from '../../convert/harText.ts';
import type { CaptureReader } from '../../read/captureDecoder.ts';
import { loadCapture, readCapture } from '../../read/readCapture.ts';
import { isS3Url } from '../../read/s3.ts';
import { STDIN } from '../../read/stdin.ts';
import { isHar } from '../../read/readHarCapture.ts';

/** A capture that is served to the page. */
export interface ServedCapture {
  /** The name of its file. */
  readonly name: string;
  readonly type: 'application/gzip' | 'application/x-ndjson';
  /** Opens its content from the beginning. */
  read(): Promise<{ readonly stream: Readable; /** In bytes, when it is known. */ readonly size?: number }>;
}

/**
 * Opens a capture for the page: a file unchanged, all others as the text of a capture.
 * @throws {CaptureError} when it cannot be read, or when its header or its first record is not valid. Of a capture with a broken line, the page shows what
 * is before it, with a warning.
 */
export async function openCapture(path: string): Promise<ServedCapture> {
  if (path === STDIN) return openWhole(path);
  const first = await readCapture(path, { brokenLines: 'end' });
  await tryBeginning(first);
  const name = basename(path);
  if (isHar(path) || isS3Url(path)) {
    return {
      name,
      type: 'application/x-ndjson',
      read: async () => ({ stream: textOf(await readCapture(path)) }),
    };
  }
  const type = path.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson';
  return { name, type, read: () => wholeFile(path) };
}

/** Keeps a capture that can be read only once in memory, because the page requests it at each load. */
async function openWhole(given: string): Promise<ServedCapture> {
  const { path, header, records } = await loadCapture(given);
  return {
    name: path,
    type: 'application/x-ndjson',
    read: async () => ({
      stream: textOf({
        header,
        async *records() {
          yield records;
        },
      }),
    }),
  };
}

/** Larger than usual: a capture can have hundreds of megabytes. */
const CHUNK_BYTES = 512 * 1024;

/** Opens the file with its current size; it can grow while it is being written. */
async function wholeFile(path: string) {
  const { size } = await stat(path);
  return { stream: createReadStream(path, { end: size - 1, highWaterMark: CHUNK_BYTES }), size };
}

async function tryBeginning({ records }: CaptureReader): Promise<void> {
  const batches = records();
  await batches.next();
  await batches.return();
}

const textOf = ({ header, records }: Pick<CaptureReader, 'header' | 'records'>): Readable =>
  Readable.from(captureText(header, records()), { objectMode: false });
