import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { headerLine, recordLine } from '#shared/capture/captureLine.ts';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';

const HEADER = headerLine({
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
});

/** Number of lines in one write. */
const LINES_PER_WRITE = 5000;

/** Writes a capture of frames that were received every `everyMs` milliseconds, by default one each tick. */
export async function writeCaptureFile(
  path: string,
  frames: readonly string[],
  everyMs = QUEUE_TICK_MS,
): Promise<void> {
  const file = createWriteStream(path);
  file.write(HEADER);
  for (let from = 0; from < frames.length; from += LINES_PER_WRITE) {
    const lines = frames
      .slice(from, from + LINES_PER_WRITE)
      .map((data, i) => recordLine({ t: (from + i) * everyMs, type: 'recv', data }));
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
