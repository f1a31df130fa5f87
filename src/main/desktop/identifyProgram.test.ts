import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { version } from '../../../package.json';
import { mainLog } from '#tests/builders/mainLog.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { readSettings } from '#shared/settings.ts';
import { logTail } from '../base/createLog.ts';
import { APP_ID, identifyProgram } from './setUpDesktop.ts';

/** Returns what the program sets on this platform. */
function identityOn(platform: string) {
  const set = { setName: vi.fn<(name: string) => void>(), setAppUserModelId: vi.fn<(id: string) => void>() };
  identifyProgram(set, platform);
  return [set.setName.mock.calls, set.setAppUserModelId.mock.calls];
}

test('sets the name, and on Windows the identifier', () => {
  expect(identityOn('win32')).toEqual([[['Parley']], [[APP_ID]]]);
  expect(identityOn('linux')).toEqual([[['Parley']], []]);
  expect(identityOn('darwin')).toEqual([[['Parley']], []]);
});

test('has the name and the identifier of the installers', () => {
  const config = readFileSync(resolve(import.meta.dirname, '../../../packaging/config.mjs'), 'utf8');
  expect(config).toContain(`appId: '${APP_ID}'`);
  expect(config).toContain("productName: 'Parley'");
});

test('shows the version of the package when Electron starts from a file', async () => {
  const copied: string[] = [];
  vi.doMock('electron', () => ({
    app: { getVersion: () => '45.4.1' },
    BrowserWindow: { getAllWindows: () => [] },
    clipboard: { writeText: async (text: string) => void copied.push(text) },
  }));
  const { copyDiagnostics } = await import('./copyDiagnostics.ts');
  const { store } = await mainStore();
  await copyDiagnostics({ settings: readSettings({}), store, tail: logTail(), log: mainLog().log });
  expect(copied.join()).toContain(version);
  expect(copied.join()).not.toContain('45.4.1');
});
