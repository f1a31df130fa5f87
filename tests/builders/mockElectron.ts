import { vi } from 'vitest';
import * as electron from './electron.ts';

/**
 * Resets the module cache and the fake `electron`, which modules that are imported afterwards receive. Call it before
 * you import them: a test imports them with `await import(…)`.
 */
export function mockElectron(): void {
  vi.resetModules();
  electron.resetElectron();
  vi.doMock('electron', () => electron);
}
