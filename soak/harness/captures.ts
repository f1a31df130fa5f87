import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerLine, recordLine } from '#shared/capture/captureLine.ts';
import { CAPTURE_FORMAT, CAPTURE_VERSION, type FrameRecord } from '#shared/capture/format.ts';
import { SOAK_OUT } from './root.ts';

/** Returns the text of a capture with these frames, one each `everyMs` milliseconds. */
export function captureText(frames: readonly (string | Uint8Array)[], everyMs = 100): string {
  const header = headerLine({
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(0).toISOString(),
    app: 'soak',
  });
  const records = frames.map((frame, index) => recordLine(frameRecord(frame, index * everyMs)));
  return header + records.join('');
}

const frameRecord = (frame: string | Uint8Array, t: number): FrameRecord =>
  typeof frame === 'string'
    ? { t, type: 'recv', data: frame }
    : { t, type: 'recv', data: Buffer.from(frame).toString('base64'), encoding: 'base64' };

/**
 * Writes frames that made a scenario fail to a capture in `soak/out/found`. Returns its path. docs/reliability.md says how
 * to keep it as a test.
 */
export function saveFailingCapture(name: string, frames: readonly (string | Uint8Array)[]): string {
  const folder = join(SOAK_OUT, 'found');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.parley.jsonl`);
  writeFileSync(path, captureText(frames));
  return path;
}
