import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, basename } from 'node:path';
import { promisify } from 'node:util';
import manualPage from '../package/hostauth.8?raw';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingsHelp } from '../base/config.ts';
import { systemdFiles } from './programFolder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('hostauth package', () => {
  test('the manual page names every setting that --help names', () => {
    const page = manualPage.replaceAll('\\-', '-');
    const settings = settingsHelp().match(/HOSTAUTH_\w+/g) ?? [];
    // The units set it.
    const missing = settings.filter((name) => !page.includes(name) && name !== 'HOSTAUTH_HELPER_SOCKET');
    expect(settings.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

const units = systemdFiles({ under: '/etc', programs: '/usr/lib/hostauth' });
const textOf = (name: string) => units.find(({ path }) => basename(path) === name)?.text ?? '';

const { stdout, error } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
/** `--offline` needs version 250. */
const version = Number(/^systemd (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
const missing = error !== undefined || version < 250;
if (missing)
  process.stderr.write('skipped: the scores of the units (systemd-analyze 250 or newer is missing)\n');

describe('the units', () => {
  test.skipIf(missing).each([
    ['hostauth.service', 1.5],
    ['hostauth-helper.service', 2.7],
  ])('%s has an exposure of at most %d, as systemd-analyze measures it', async (name, limit) => {
    const path = join(folder, name);
    await writeFile(path, textOf(name));
    const report = await promisify(execFile)('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      path,
    ]);
    const score = /^→ Overall exposure level for \S+: (\d+\.\d+)/mu.exec(report.stdout)?.[1];
    expect(Number(score)).toBeLessThanOrEqual(limit);
  });

  test.each(['hostauth.service', 'hostauth-helper.service'])(
    '%s restarts when it ends or hangs, and writes no core file',
    (name) => {
      const lines = textOf(name).split('\n');
      for (const line of ['Restart=always', 'WatchdogSec=30', 'NotifyAccess=all', 'LimitCORE=0']) {
        expect(lines).toContain(line);
      }
    },
  );

  test('a restart of the helper does not restart the HTTP process, which keeps the sessions', () => {
    expect(textOf('hostauth.service')).not.toMatch(/^(Requires|BindsTo|PartOf)=/m);
    expect(textOf('hostauth.service')).toMatch(/^Wants=hostauth-helper\.service$/m);
  });
});
