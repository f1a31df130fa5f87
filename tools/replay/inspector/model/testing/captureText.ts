import { type CaptureRecord, headerLine } from '#shared/capture/captureFormat.ts';

/** The header of the captures in tests. */
export const HEADER = headerLine({
  format: 'parley-capture',
  version: 1,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
});

/** Encodes records as the text of a capture. */
export const captureText = (records: readonly CaptureRecord[]): string =>
  HEADER + records.map((record) => `${JSON.stringify(record)}\n`).join('');
