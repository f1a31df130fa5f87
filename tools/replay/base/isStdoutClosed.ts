import { fstatSync, readSync, statSync } from 'node:fs';

/**
 * Returns whether the process was started with a closed stdout (`>&-`). Node then opens /dev/null in its place, for reading and writing. A shell opens
 * it for writing only, so `> /dev/null` is not a closed stdout. When stderr is the same, the parent ignores all output.
 */
export const isStdoutClosed = (): boolean =>
  isReadableNull(process.stdout.fd) && !isReadableNull(process.stderr.fd);

function isReadableNull(fd: number): boolean {
  try {
    if (fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false;
    readSync(fd, Buffer.alloc(1));
    return true;
  } catch {
    // It was opened for writing only, or the system has no /dev/null.
    return false;
  }
}
