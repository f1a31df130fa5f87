import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { checkRestarted } from '../../harness/checkDataFolder.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { scenario } from '../../run/scenario.ts';

const TEMPORARY = '.parley-0123456789abcdef01234567.tmp';
/** Temporary files of earlier runs that were killed. */
const TEMPORARY_FILES = [TEMPORARY, `captures/${TEMPORARY}`];
/** Files that belong to the person, with similar names. */
const OWN_FILES = ['notes.new.txt', 'captures/2026-01-01.parley.jsonl'];

/** A data folder with temporary files of killed runs. */
export const leftovers = scenario({
  name: 'leftovers',
  sentence: 'Killed runs have left temporary files; the next start removes these and no others.',
  short: {},
  long: {},
  async run(soak) {
    const dataDir = createDataFolder(soak);
    mkdirSync(join(dataDir, 'captures'), { mode: 0o700 });
    for (const name of [...TEMPORARY_FILES, ...OWN_FILES])
      writeFileSync(join(dataDir, name), 'left', { mode: 0o600 });
    const { messenger } = await startSignedIn(soak, { dataDir });
    checkRestarted(soak, dataDir);
    const kept = OWN_FILES.filter((name) => existsSync(join(dataDir, name)));
    soak.check('the person’s own files stay', kept.length === OWN_FILES.length, kept.join(' '));
    soak.addFigure('files left', readdirSync(dataDir).length, '');
    soak.check('the messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});
