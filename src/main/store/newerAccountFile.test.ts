import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mainEncryption, noEncryption } from '#tests/builders/mainEncryption.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import type { Encryption } from '../base/storedSecret.ts';
import { accountFile } from './accountFile.ts';

const HERE = { id: 'secret-1', platform: 'wss://here' } as const;
const NEWER = { version: 2, platform: HERE.platform, account: HERE.id, devices: [{ name: 'desk' }] } as const;

/** Starts with a file of a newer version. */
function startWith(contents: object, encryption: Encryption = noEncryption) {
  const path = join(mainFolder(), 'account.json');
  writeFileSync(path, JSON.stringify(contents));
  const kept = mainLog();
  const file = accountFile({ path, encryption, log: kept.log });
  return {
    kept,
    read: () => file.getItem('account'),
    keep: (state: unknown) => file.setItem('account', state),
    contents: (): unknown => JSON.parse(readFileSync(path, 'utf8')),
    names: () => readdirSync(dirname(path)),
  };
}

test('contract §2 newer version: is signed in by a file of a newer version, and leaves it unchanged', async () => {
  const { read, keep, contents, names, kept } = startWith(NEWER);
  expect(await read()).toEqual(HERE);
  await keep(HERE);
  expect([contents(), names(), kept.lines()]).toEqual([NEWER, ['account.json'], []]);
});

test('keeps the fields of a newer version when it encrypts the account again', async () => {
  const old = mainEncryption(1);
  const encrypted = (await old.encryptStringAsync(HERE.id)).toString('base64');
  const { read, keep, contents } = startWith(
    { ...NEWER, account: { encrypted } },
    {
      ...mainEncryption(2),
      decryptStringAsync: async (bytes) => ({
        ...(await old.decryptStringAsync(bytes)),
        shouldReEncrypt: true,
      }),
    },
  );
  await keep(await read());
  expect(contents()).toEqual({ ...NEWER, account: { encrypted: expect.not.stringMatching(encrypted) } });
});

test('keeps no field of the account that it replaces', async () => {
  const { read, keep, contents } = startWith(NEWER);
  await read();
  await keep({ id: 'secret-2', platform: 'wss://here' });
  expect(contents()).toEqual({ version: 1, platform: 'wss://here', account: 'secret-2' });
});

test('is signed out and leaves the file unchanged when a newer version wrote it in another form', async () => {
  const other = { version: 2, accounts: [HERE] };
  const { read, keep, contents, names, kept } = startWith(other);
  expect(await read()).toBeUndefined();
  await keep({ id: null, platform: null });
  expect([contents(), names()]).toEqual([other, ['account.json']]);
  expect(kept.lines()).toMatchObject([{ level: 'warn', msg: expect.stringContaining('newer version') }]);
});
