import { buffer } from 'node:stream/consumers';
import { takeOpened } from './openAhead.ts';
import { s3 } from './s3.ts';
import { s3Error } from './s3Error.ts';
import { parseS3Url } from './s3Url.ts';

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
