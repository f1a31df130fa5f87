import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Builds the command line into a folder of this process's own; `remove` takes it away. */
export async function buildCli(): Promise<{ path: string; remove: () => Promise<void> }> {
  // Within the repository, for the packages that it leaves to Node are found from there.
  const folder = join(ROOT, 'out', `replay-test-${process.pid}`);
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      rolldownOptions: {
        input: { cli: join(ROOT, 'tools', 'replay', 'cli.ts') },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  return { path: join(folder, 'cli.js'), remove: () => rm(folder, { recursive: true, force: true }) };
}
