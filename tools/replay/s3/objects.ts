import { buffer } from 'node:stream/consumers';
import { type S3Body, S3Error, type S3Page, isS3Url, parseS3Url, s3, s3Error } from './s3.ts';
import { UsageError } from '../base/errors.ts';

/** A connection may break this number of times while an object is read. */
const BREAKS = 3;

/**
 * Reads an object in pieces. When the connection breaks, reading continues where it broke.
 * @throws {S3Error}
 */
export async function* readObject(url: string): AsyncGenerator<Buffer, void> {
  const place = parseS3Url(url);
  const { open } = await s3();
  let body = await (takeOpened(url) ?? open(place));
  const { length, etag } = body;
  let from = 0;
  for (let breaks = 0; ; breaks++) {
    try {
      for await (const chunk of body.stream) {
        if (!Buffer.isBuffer(chunk)) continue;
        from += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (breaks === BREAKS || from >= length) throw s3Error(error);
    }
    body = await open(place, { from, etag });
  }
}

/**
 * Reads an object as text.
 * @throws {S3Error}
 */
export const readObjectText = async (url: string): Promise<string> =>
  (await buffer(readObject(url))).toString('utf8');

/** The objects that are opened and not yet read. The store sends no more of each than fits into the buffers of its connection. */
const opened = new Map<string, Promise<S3Body>>();

/** Opens those of the paths that are objects of a store, so that the network's delay is over when they are read. Errors reach the reader. */
export function openAhead(paths: readonly string[]): void {
  for (const path of paths) {
    if (!isS3Url(path) || opened.has(path)) continue;
    const body = s3().then(({ open }) => open(parseS3Url(path)));
    body.catch(() => undefined);
    opened.set(path, body);
  }
}

/** Returns an opened object; its reader must read it. */
function takeOpened(path: string): Promise<S3Body> | undefined {
  const body = opened.get(path);
  opened.delete(path);
  return body;
}

/** Closes those of the paths that were opened and not read. */
export function closeUnread(paths: readonly string[]): void {
  for (const path of paths) {
    void takeOpened(path)?.then(
      ({ stream }) => stream.destroy(),
      () => undefined,
    );
  }
}

/** An object that was found. */
interface FoundObject {
  readonly url: string;
  /** Its path inside the folder. */
  readonly name: string;
}

/**
 * Lists the objects inside a folder, `s3://bucket/folder`, page by page; the next page is requested while one is used.
 * @throws {UsageError} when the store refuses the request or does not answer.
 */
export async function* listObjects(folder: string): AsyncGenerator<FoundObject, void> {
  const { bucket, key } = parseS3Url(folder);
  const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
  try {
    const { list } = await s3();
    const request = (continuation?: string): Promise<S3Page> => {
      const page = list({ bucket, key: prefix }, continuation);
      page.catch(() => undefined);
      return page;
    };
    let page: Promise<S3Page> | undefined = request();
    while (page !== undefined) {
      const { keys, next }: S3Page = await page;
      page = next === undefined ? undefined : request(next);
      for (const one of keys) yield { url: `s3://${bucket}/${one}`, name: one.slice(prefix.length) };
    }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new UsageError(`${folder}: ${error.message}`, { cause: error });
  }
}
