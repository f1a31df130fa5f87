import { errorCode } from '#shared/errorCode.ts';

/** Returns whether a write failed because the disk, or the user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errorCode(error) ?? '');
