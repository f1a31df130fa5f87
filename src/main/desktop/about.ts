import type { About } from '#shared/ipc/channels.ts';
import { license } from '../../../package.json';

/** Returns the program's version and the versions of its runtime (`process.versions`). */
export const aboutParley = (
  version: string,
  versions: Readonly<Record<string, string | undefined>>,
): About => ({
  parley: version,
  host: versions.electron === undefined ? 'web host' : `Electron ${versions.electron}`,
  chromium: versions.chrome ?? null,
  node: versions.node ?? '',
  licence: license,
});
