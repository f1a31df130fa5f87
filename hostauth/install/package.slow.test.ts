import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../out/hostauth/hostauth.js');
const missing = ['dpkg-deb', 'dpkg-shlibdeps'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);
if (missing.length > 0)
  process.stderr.write(`skipped: the tests of the package (${missing.join(', ')} missing)\n`);

const run = promisify(execFile);
let folder = '';
let deb = '';
let unpacked = '';

async function build(name: string, umask: string): Promise<string> {
  const command = `umask ${umask}; exec "$0" "$@"`;
  const args = [process.execPath, PROGRAM, 'package', '--output', join(folder, name)];
  return (await run('sh', ['-c', command, ...args])).stdout.trim();
}

describe.skipIf(missing.length > 0)('the Debian package', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-deb-'));
    deb = await build('one', '022');
    unpacked = join(folder, 'unpacked');
    await run('dpkg-deb', ['--extract', deb, unpacked]);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('contains Node, the programs, the binding, the units and the docs, all owned by root', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', deb]);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !line.includes(' root/root '))).toEqual([]);
    const paths = lines.map((line) => line.split(' ./')[1] ?? '');
    expect(paths).toEqual(
      expect.arrayContaining([
        'etc/apparmor.d/hostauth',
        'etc/default/hostauth',
        'etc/pam.d/hostauth',
        'usr/lib/hostauth/helper.js',
        'usr/lib/hostauth/hostauth.js',
        'usr/lib/hostauth/http.js',
        'usr/lib/hostauth/node',
        'usr/lib/hostauth/node_modules/authenticate-pam/build/Release/authenticate_pam.node',
        'usr/lib/hostauth/pamChild.js',
        'usr/lib/systemd/system/hostauth-helper.service',
        'usr/lib/systemd/system/hostauth.service',
        'usr/lib/sysusers.d/hostauth.conf',
        'usr/sbin/hostauth',
        'usr/share/doc/hostauth/changelog.gz',
        'usr/share/doc/hostauth/copyright',
        'usr/share/doc/hostauth/included-licenses.gz',
        'usr/share/man/man8/hostauth.8.gz',
      ]),
    );
    // Source maps contain paths of the checkout and are not needed to run.
    expect(paths.filter((path) => path.endsWith('.map') || path.includes('/obj.target/'))).toEqual([]);
  });

  test('the programs of the package start without the node_modules of the checkout', async () => {
    const { stdout } = await run(join(unpacked, 'usr/lib/hostauth/node'), [
      join(unpacked, 'usr/lib/hostauth/hostauth.js'),
      '--help',
    ]);
    expect(stdout).toContain('HOSTAUTH_PORT');
  });
});
