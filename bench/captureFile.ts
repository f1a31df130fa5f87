import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';

const HEADER = {
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
};

/** Written together, so many lines. */
const LINES = 5000;

/** Writes a capture in which a frame is received in each tick. */
export async function writeCaptureFile(path: string, frames: readonly string[]): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${JSON.stringify(HEADER)}\n`);
  for (let from = 0; from < frames.length; from += LINES) {
    const lines = frames
      .slice(from, from + LINES)
      .map((data, i) => `${JSON.stringify({ t: (from + i) * QUEUE_TICK_MS, type: 'recv', data })}\n`);
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
