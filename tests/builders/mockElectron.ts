import { expect, vi } from 'vitest';
import * as electron from './electron.ts';

let loadedFor: string | undefined;

/**
 * Resets the fake `electron`, which modules that are imported afterwards receive, and the module cache. Call it before you import
 * them: a test imports them with `await import(…)`. With `keepsModules`, the modules of an earlier call of the same test file stay.
 */
export function mockElectron({ keepsModules = false } = {}): void {
  const { testPath } = expect.getState();
  if (!keepsModules || testPath !== loadedFor) vi.resetModules();
  loadedFor = testPath;
  electron.resetElectron();
  vi.doMock('electron', () => electron);
}
