import { errorCode } from '#shared/formatText.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an error',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  EFBIG: 'the file is too large',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  TOOSLOW: 'the disk is too slow',
};

const READ_REASONS: Readonly<Record<string, string>> = {
  ...REASONS,
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  Z_DATA_ERROR: 'is not a gzip file, or a broken one',
  ERR_STRING_TOO_LONG: 'is too large to be read at once',
  ERR_FS_FILE_TOO_LARGE: 'is too large to be read at once',
};

/** Returns why a file or folder cannot be written, in plain words that follow a colon. */
export function fileErrorReason(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? 'an unknown error' : (REASONS[code] ?? `the system reports ${code}`);
}

/** Returns why a file cannot be read, in plain words that follow a colon. */
export function readErrorReason(error: unknown): string {
  const reason = READ_REASONS[errorCode(error) ?? ''];
  return reason ?? (error instanceof Error ? error.message : String(error));
}

/** Returns whether a write failed because the disk, or the user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');

const CONTROL = /\p{Cc}/u;

/** Quotes a path for a shell, when it needs quotes. Control characters become escapes, which bash and zsh understand. */
export function quoteForShell(path: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(path)) return path;
  if (!CONTROL.test(path)) return `'${path.replaceAll("'", `'\\''`)}'`;
  return `$'${path.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, escaped)}'`;
}

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
