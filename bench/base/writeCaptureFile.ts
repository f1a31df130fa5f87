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
const LINES = 5000;

/** Writes a capture of these frames, received so far apart; one in each tick unless said. */
export async function writeCaptureFile(
  path: string,
  frames: readonly string[],
  apartMs = QUEUE_TICK_MS,
): Promise<void> {
  const file = createWriteStream(path);
  file.write(HEADER);
  for (let from = 0; from < frames.length; from += LINES) {
    const lines = frames
      .slice(from, from + LINES)
      .map((data, i) => recordLine({ t: (from + i) * apartMs, type: 'recv', data }));
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}
