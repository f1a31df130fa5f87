import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPam, keepModulesLoaded, loadPamBinding } from './pamBinding.ts';

function notBuilt(): never {
  throw new Error("Cannot find module 'authenticate-pam'\nRequire stack:\n- /somewhere");
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pam-'));
  await writeFile(join(folder, 'hostauth'), '');
});
afterAll(() => rm(folder, { recursive: true }));

describe('checkPam', () => {
  test('reports nothing when all is in place', () => {
    expect(checkPam('hostauth', { folder })).toBeUndefined();
  });

  test('names the package and the command when authenticate-pam is not built', () => {
    const line = checkPam('hostauth', { folder, load: notBuilt });
    expect(line).toMatch(/Cannot find module 'authenticate-pam'.*apt-get install .*libpam0g-dev.*npm ci/);
    expect(line).not.toContain('\n');
  });

  test('contract §8 PAM service: names the command that installs our file when the service has none', () => {
    expect(checkPam('parley-nowhere', { folder })).toMatch(
      /parley-nowhere is missing.*npm run hostauth -- install/,
    );
  });

  test('names the package of unix_chkpwd when it is missing', () => {
    expect(checkPam('hostauth', { folder, helper: join(folder, 'nowhere') })).toContain('libpam-modules-bin');
  });

  test.each(['', '.', '..', '../passwd', 'a/b', 'Hostauth', 'a b', 'a\0', '-x', 'a'.repeat(65)])(
    'refuses the name %j before it looks for a file',
    (service) => {
      expect(checkPam(service, { folder: '/etc' })).toContain('is not the name of a PAM service');
    },
  );
});

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepModulesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const name of ['pam_unix', 'pam_faillock', 'pam_permit', 'libcrypt'])
    expect(maps).toContain(`/${name}.so`);
});
