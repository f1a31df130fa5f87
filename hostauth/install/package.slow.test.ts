import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';

const PROGRAM = resolve(import.meta.dirname, '../../out/hostauth/hostauth.js');
const run = promisify(execFile);

/** Returns which tools are missing, and reports that a test is skipped for that. */
const without = (what: string, ...tools: readonly string[]) => {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0) process.stderr.write(`skipped: ${what} (${missing.join(', ')} missing)\n`);
  return missing.length > 0;
};

test.skipIf(without('the Debian package', 'dpkg-deb', 'dpkg-shlibdeps'))(
  'the same sources give the same package, whatever the umask; its programs start without the node_modules of the checkout',
  async () => {
    const folder = mainFolder();
    const build = async (umask: string) => {
      const args = [process.execPath, PROGRAM, 'package', '--output', join(folder, umask)];
      return (await run('sh', ['-c', `umask ${umask}; exec "$0" "$@"`, ...args])).stdout.trim();
    };
    const deb = await build('022');
    expect((await readFile(deb)).equals(await readFile(await build('077')))).toBe(true);
    const unpacked = join(folder, 'unpacked');
    await run('dpkg-deb', ['--extract', deb, unpacked]);
    const programs = join(unpacked, 'usr/lib/hostauth');
    const { stdout } = await run(join(programs, 'node'), [join(programs, 'hostauth.js'), '--help']);
    expect(stdout).toContain('HOSTAUTH_PORT');
  },
);

// Not enforced: that takes a kernel with AppArmor. In complain mode, too, AppArmor enforces `deny` rules.
test.skipIf(without('the AppArmor profiles', 'apparmor_parser'))(
  'AppArmor compiles the profiles that the units name, which only report',
  async () => {
    const file = join(import.meta.dirname, '../package/debian/apparmor');
    await run('apparmor_parser', ['-Q', '--skip-cache', file]);
    const names = (await run('apparmor_parser', ['--names', file])).stdout.trim().split('\n').sort();
    const units = ['hostauth-helper', 'hostauth'].map((name) =>
      readFile(join(import.meta.dirname, `../systemd/${name}.service`), 'utf8'),
    );
    const named = (await Promise.all(units)).map((text) => /^AppArmorProfile=-(.*)$/m.exec(text)?.[1]);
    expect(names).toEqual(named);
    const text = await readFile(file, 'utf8');
    expect(text.match(/^profile .*complain\) \{$/gm)).toHaveLength(names.length);
    expect(text).not.toMatch(/^\s*(audit )?deny /m);
  },
);
