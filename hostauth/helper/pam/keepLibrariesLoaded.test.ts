import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepLibrariesLoaded } from './keepLibrariesLoaded.ts';
import { loadPamBinding } from './pamBinding.ts';

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepLibrariesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const library of ['libcrypt.so.1', 'libselinux.so.1', 'libcap.so.2']) expect(maps).toContain(library);
  for (const module of ['pam_unix.so', 'pam_faillock.so', 'pam_deny.so']) expect(maps).toContain(module);
});
