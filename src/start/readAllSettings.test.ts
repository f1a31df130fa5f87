import { afterEach, expect, test, vi } from 'vitest';
import { SettingsError } from '#shared/settings.ts';
import type * as claims from '#node/claimDataFolder.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { readAllSettings, takeDataFolder } from './startBuiltIn.ts';

/** Every data folder is in use by a messenger in the browser. */
vi.mock('#node/claimDataFolder.ts', async (original) => {
  const real = await original<typeof claims>();
  const holder = { pid: 1, began: '', secret: '', port: null, program: 'web' } as const;
  const error = new real.FolderInUseError('in use', holder);
  return { ...real, claimDataFolder: vi.fn<() => never>().mockThrow(error) };
});

afterEach(() => void vi.unstubAllEnvs());

const KEY_FILE = { PARLEY_ASSISTANT_URL: 'http://127.0.0.1:1', PARLEY_ASSISTANT_KEY_FILE: '/nowhere/key' };

test.each<[string, Record<string, string>]>([
  ['PARLEY_PLATFORM_URL', { PARLEY_API_URL: 'http://127.0.0.1:1' }],
  ['PARLEY_PORT', { PARLEY_PORT: '65536' }],
  ['PARLEY_PLATFORM_HOSTAUTH', { PARLEY_PLATFORM_HOSTAUTH: 'http://auth.example.org' }],
  ['PARLEY_ASSISTANT_URL', { PARLEY_ASSISTANT_URL: 'ollama' }],
  ['PARLEY_ASSISTANT_MODEL', { PARLEY_ASSISTANT_MODEL: 'm' }],
  ['PARLEY_ASSISTANT_KEY_FILE', KEY_FILE],
])('contract §2 bad values: rejects a bad %s in %j with one line that names it', (variable, env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  expect(readAllSettings).toThrow(SettingsError);
  expect(readAllSettings).toThrow(new RegExp(`^[^\\n]*${variable}[^\\n]*$`, 'u'));
});

test('takes no data folder that the same host holds, and refuses one that the other host holds', () => {
  vi.stubEnv('PARLEY_DATA_DIR', mainFolder());
  expect(takeDataFolder('web')).toBeNull();
  expect(() => takeDataFolder('electron')).toThrow('in use');
});
