import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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

const noParser = spawnSync('apparmor_parser', ['--version']).error !== undefined;
if (noParser) process.stderr.write('skipped: the AppArmor profiles (apparmor_parser missing)\n');

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

  test('the same sources give the same bytes, whatever the umask', async () => {
    const other = await build('two', '077');
    expect((await readFile(deb)).equals(await readFile(other))).toBe(true);
  });

  // Not enforced: that takes a kernel with AppArmor. In complain mode, too, AppArmor enforces `deny` rules.
  test.skipIf(noParser)('AppArmor compiles the profiles that the units name, which only report', async () => {
    const file = join(unpacked, 'etc/apparmor.d/hostauth');
    await run('apparmor_parser', ['-Q', '--skip-cache', file]);
    const names = (await run('apparmor_parser', ['--names', file])).stdout.trim().split('\n').sort();
    const units = ['hostauth-helper', 'hostauth'].map((name) =>
      readFile(join(unpacked, `usr/lib/systemd/system/${name}.service`), 'utf8'),
    );
    const named = (await Promise.all(units)).map((text) => /^AppArmorProfile=-(.*)$/m.exec(text)?.[1]);
    expect(names).toEqual(named);
    const text = await readFile(file, 'utf8');
    expect(text.match(/^profile .*complain\) \{$/gm)).toHaveLength(names.length);
    expect(text).not.toMatch(/^\s*(audit )?deny /m);
  });

  test('the programs of the package start without the node_modules of the checkout', async () => {
    const { stdout } = await run(join(unpacked, 'usr/lib/hostauth/node'), [
      join(unpacked, 'usr/lib/hostauth/hostauth.js'),
      '--help',
    ]);
    expect(stdout).toContain('HOSTAUTH_PORT');
  });
});
