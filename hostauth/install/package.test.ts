import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, basename } from 'node:path';
import { promisify } from 'node:util';
import manualPage from '../package/hostauth.8?raw';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settingsHelp } from '../base/config.ts';
import { control, thirdPartyLicenses } from './buildPackage.ts';
import { systemdFiles } from './programFolder.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-package-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function writePackage(name: string, file: string, text: string): Promise<void> {
  const manifest = JSON.stringify({ name, version: '1.2.3', license: 'MIT' });
  await write(`node_modules/${name}/package.json`, manifest);
  await write(`node_modules/${name}/${file}`, text);
}

describe('hostauth package', () => {
  test('the manual page names every setting that --help names', () => {
    const page = manualPage.replaceAll('\\-', '-');
    const settings = settingsHelp().match(/HOSTAUTH_\w+/g) ?? [];
    // The units set it.
    const missing = settings.filter((name) => !page.includes(name) && name !== 'HOSTAUTH_HELPER_SOCKET');
    expect(settings.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  test('the control file depends on the libraries that were found and on the programs that are started', () => {
    const libraries = ['libc6 (>= 2.34)', 'libpam0g (>= 0.99.7.1)'];
    const text = control({ version: '1.0.0', architecture: 'arm64', libraries, installedSize: 99_000 });
    expect(text).toMatch(/^Architecture: arm64$/m);
    expect(text).toMatch(/^Depends: libc6 \(>= 2\.34\), libpam0g \(>= 0\.99\.7\.1\), .*\bpasswd\b/m);
    // Debian Policy §5.1: no empty line before the end.
    expect(text.trimEnd()).not.toContain('\n\n');
  });

  test('lists the license of each package in a source map, including nested ones', async () => {
    await writePackage('a', 'LICENSE', 'Copyright A');
    await writePackage('@scope/b', 'LICENCE.md', 'Copyright B');
    await writePackage('a/node_modules/c', 'license', 'Copyright C');
    await writePackage('unused', 'LICENSE', 'Copyright unused');
    await writePackage('binding', 'binding.cc', '/*\nCopyright in a source\n*/\nint x;');
    const sources = ['a/index.js', '@scope/b/lib/b.js', 'a/node_modules/c/c.js'].map(
      (path) => `../node_modules/${path}`,
    );
    await write('out/main.js.map', JSON.stringify({ sources: [...sources, '../hostauth/main.ts'] }));
    const text = await thirdPartyLicenses(join(folder, 'out'), [join(folder, 'node_modules/binding')]);
    const found = ['A', 'B', 'C', 'in a source'].map((words) => `Copyright ${words}`);
    expect(text.match(/Copyright .*/g)?.sort()).toEqual(found);
    expect(text).toContain('@scope/b 1.2.3 (MIT)');
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
    const args = ['security', '--offline=true', '--no-pager', path];
    const report = await promisify(execFile)('systemd-analyze', args);
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
