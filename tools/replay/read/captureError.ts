import { codeOf } from '#shared/codeOf.ts';

/** A capture that cannot be used. `message` is one line that names the file, and the line where there is one. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}

/** What the system says of a file that cannot be read, in words. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
      return 'may not be read';
    case 'EISDIR':
      return 'is a folder';
    case 'Z_DATA_ERROR':
      return 'is not a gzip file, or a broken one';
    case 'ERR_STRING_TOO_LONG':
    case 'ERR_FS_FILE_TOO_LARGE':
      return 'is too large to be read at once';
    case undefined:
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
