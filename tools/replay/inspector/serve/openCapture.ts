import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { captureText } from '../../convert/harText.ts';
import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import { loadCapture, readCapture } from '../../read/readCapture.ts';
import { isS3Url } from '../../read/s3.ts';
import { STDIN } from '../../read/stdin.ts';
import { isHar } from '../../read/readBytes.ts';

/** A capture that is served to the page. */
export interface ServedCapture {
  /** The name of its file. */
  readonly name: string;
  /** Its path; `undefined` for stdin, which can be read only once. */
  readonly path?: string | undefined;
  readonly type: 'application/gzip' | 'application/x-ndjson';
  /** Opens its content from the beginning; `size` is in bytes. */
  read(): Promise<{ readonly stream: Readable; readonly size?: number }>;
}

/**
 * Opens a capture for the page: a file unchanged, all others as the text of a capture.
 * @throws {CaptureError} when it cannot be read, or when its header or its first record is not valid. Of a capture with a broken line, the page shows what
 * is before it, with a warning.
 */
export async function openCapture(path: string): Promise<ServedCapture> {
  if (path === STDIN) {
    // Kept in memory: it can be read only once, and the page requests it at each load.
    const { path: name, header, records } = await loadCapture(path);
    return servedText(name, async () => ({ header, records: () => Readable.from([records]) }));
  }
  const beginning = (await readCapture(path, { brokenLines: 'end' })).records();
  await beginning.next();
  await beginning.return();
  const name = basename(path);
  if (isHar(path) || isS3Url(path)) return { ...servedText(name, () => readCapture(path)), path };
  const type = path.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson';
  return {
    name,
    path,
    type,
    async read() {
      // Its current size: it can grow while it is being written.
      const { size } = await stat(path);
      return { stream: createReadStream(path, { end: size - 1, highWaterMark: CHUNK_BYTES }), size };
    },
  };
}

interface Text {
  readonly header: CaptureHeader;
  readonly records: () => AsyncIterable<readonly CaptureRecord[]>;
}

const servedText = (name: string, open: () => Promise<Text>): ServedCapture => ({
  name,
  type: 'application/x-ndjson',
  async read() {
    const { header, records } = await open();
    return { stream: Readable.from(captureText(header, records()), { objectMode: false }) };
  },
});

/** Larger than usual: a capture can have hundreds of megabytes. */
const CHUNK_BYTES = 512 * 1024;
