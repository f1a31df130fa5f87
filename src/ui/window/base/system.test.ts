import { expect, test } from 'vitest';
import { systemOf } from './system.ts';

test.each([
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/156.0.0.0', 'mac', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/146.0 Parley/0.2.0 Electron/45.4.1', 'windows', true],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 'linux', false],
])('finds the system of %s', (userAgent, os, isElectron) => {
  expect(systemOf(userAgent)).toEqual({ os, isElectron });
});
