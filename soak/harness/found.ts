import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { headerLine, recordLine } from '#shared/capture/captureLine.ts';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import { SOAK_OUT } from './root.ts';

/**
 * Writes frames that made a scenario fail as a capture in `soak/out/found`; gives its path. docs/reliability.md says how
 * to keep it.
 */
export function keepFound(name: string, frames: readonly (string | Uint8Array)[]): string {
  const folder = join(SOAK_OUT, 'found');
  mkdirSync(folder, { recursive: true });
  const header = headerLine({
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(0).toISOString(),
    app: 'soak',
  });
  const records = frames.map((frame, index) =>
    typeof frame === 'string'
      ? recordLine({ t: index * 100, type: 'recv', data: frame })
      : recordLine({
          t: index * 100,
          type: 'recv',
          data: Buffer.from(frame).toString('base64'),
          encoding: 'base64',
        }),
  );
  const path = join(folder, `${name}.parley.jsonl`);
  writeFileSync(path, header + records.join(''));
  return path;
}
