import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepModulesLoaded, loadPamBinding } from './pamBinding.ts';

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepModulesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const name of ['pam_unix', 'pam_faillock', 'pam_permit', 'libcrypt'])
    expect(maps).toContain(`/${name}.so`);
});
