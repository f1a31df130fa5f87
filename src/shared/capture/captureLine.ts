import type { CaptureHeader, KnownRecord } from './format.ts';

/** A capture's first line, its newline with it. */
export const headerLine = ({ format, version, startedAt, app }: CaptureHeader): string =>
  `${JSON.stringify({ format, version, startedAt, app })}\n`;

/** A record's line, its newline with it. */
export const recordLine = (record: KnownRecord): string => `${JSON.stringify(record)}\n`;
