import { vi } from 'vitest';
import * as electron from './electron.ts';

/**
 * From here on modules are loaded anew, and get the fake `electron` as it is at a program's start. It must be called
 * before they are imported, so a test imports them with `await import(…)`.
 */
export function mockElectron(): void {
  vi.resetModules();
  electron.forgetAll();
  vi.doMock('electron', () => electron);
}
