import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

type FileStream = Readable & { readonly bytesRead: number };

/**
 * Opens a file for reading in chunks of at most `highWaterMark` bytes. A named pipe is opened without waiting for its writer: a thread that waits
 * for a pipe cannot be ended, so the process would not end at a signal either.
 * @throws the system's error when the path cannot be looked up; the stream fails with every other one.
 */
export function fileStream(path: string, highWaterMark?: number): FileStream {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true)
    return createReadStream(path, { highWaterMark });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}
