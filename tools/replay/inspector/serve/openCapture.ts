import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { captureText } from '../../convert/captureText.ts';
import { loadCapture } from '../../read/loadCapture.ts';
import { STDIN } from '../../read/stdin.ts';
import { isHar } from '../../read/readHarCapture.ts';
import { type CaptureReader, readCapture } from '../../read/readCapture.ts';

/** A capture that the page asks for. */
export interface ServedCapture {
  /** Its file's name. */
  readonly name: string;
  readonly type: 'application/gzip' | 'application/x-ndjson';
  /** What is in it, from the beginning. */
  read(): Promise<{ readonly stream: Readable; /** Bytes, where that is known. */ readonly size?: number }>;
}

/**
 * A capture ready to be given to a page: a file as it is, a HAR and stdin as a capture's text.
 * @throws {CaptureError} when it cannot be read, its header cannot be used, or one of its first lines. What is wrong
 * further on in a long one, the page says.
 */
export async function openCapture(path: string): Promise<ServedCapture> {
  if (path === STDIN) return openWhole(path);
  const first = await readCapture(path);
  await tryBeginning(first);
  const name = basename(path);
  if (isHar(path)) {
    return {
      name,
      type: 'application/x-ndjson',
      read: async () => ({ stream: textOf(await readCapture(path)) }),
    };
  }
  const type = path.endsWith('.gz') ? 'application/gzip' : 'application/x-ndjson';
  return { name, type, read: () => wholeFile(path) };
}

/** A capture that can be read only once stays in memory: the page asks for it each time that it loads. */
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

/** The file as it is now; one that is still written to may grow meanwhile. */
async function wholeFile(path: string) {
  const { size } = await stat(path);
  return { stream: createReadStream(path, { end: size - 1 }), size };
}

async function tryBeginning({ records }: CaptureReader): Promise<void> {
  const batches = records();
  await batches.next();
  await batches.return();
}

const textOf = ({ header, records }: Pick<CaptureReader, 'header' | 'records'>): Readable =>
  Readable.from(captureText(header, records()), { objectMode: false });
