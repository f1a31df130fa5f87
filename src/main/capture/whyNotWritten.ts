import { codeOf } from '#shared/codeOf.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  EROFS: 'the disk is read-only',
  EEXIST: 'a file stands where the folder should be',
  ENOTDIR: 'a file stands where the folder should be',
  TOOSLOW: 'the disk is too slow',
};

/** Why a capture could not be written, in words that follow a colon. */
export function whyNotWritten(error: unknown): string {
  const code = codeOf(error);
  return code === undefined ? 'an unknown error' : (REASONS[code] ?? `the system says ${code}`);
}
