import { type S3Body, s3 } from './s3.ts';
import { isS3Url, parseS3Url } from './s3Url.ts';

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
export function takeOpened(path: string): Promise<S3Body> | undefined {
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
