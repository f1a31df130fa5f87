import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { keepLibrariesLoaded } from './keepLibrariesLoaded.ts';

test('keeps the libraries of PAM’s modules in the process', () => {
  keepLibrariesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const library of ['libcrypt.so.1', 'libselinux.so.1', 'libcap.so.2']) expect(maps).toContain(library);
});
