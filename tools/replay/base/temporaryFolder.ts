import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder. It is removed by `remove`, or when the process exits, also after a signal. */
export function createTemporaryFolder(prefix: string) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const remove = () => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { folder, remove };
}
