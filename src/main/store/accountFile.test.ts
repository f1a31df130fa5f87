import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mainEncryption, noEncryption } from '#tests/builders/mainStore.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import type { Encryption } from '../base/storedSecret.ts';
import { assistantFile } from '../settings/assistantFile.ts';
import { accountFile } from './accountFile.ts';

const HERE = { id: 'secret-1', platform: 'wss://here' } as const;
const SETTINGS = { url: 'http://a/v1', model: 'small', key: 'secret-1', prompt: 'Be short.' } as const;
const SIGNED_OUT = { id: null, platform: null } as const;

function open(path: string, encryption: Encryption = mainEncryption(1)) {
  const kept = mainLog();
  const file = accountFile({ path, encryption, log: kept.log });
  return {
    kept,
    notes: [],
    read: () => file.getItem('account'),
    keep: (state: unknown) => file.setItem('account', state),
    /** Reads the account, and saves what was read, as redux-persist does. */
    load: async () => file.setItem('account', await file.getItem('account')),
    signOut: () => file.setItem('account', SIGNED_OUT),
    remove: () => file.removeItem('account'),
  };
}

const pathIn = (folder: string) => join(folder, 'account.json');

test('is signed out without a file and creates none; logs one line and throws no error when the folder cannot be written', async () => {
  const folder = mainFolder();
  const path = pathIn(folder);
  const { read, keep, kept } = open(path);
  expect(await read()).toBeUndefined();
  await keep(SIGNED_OUT);
  expect([existsSync(path), kept.lines()]).toEqual([false, []]);
  writeFileSync(join(folder, 'a file'), '');
  const unusable = open(pathIn(join(folder, 'a file')));
  expect(await unusable.read()).toBeUndefined();
  await unusable.keep(HERE);
  const msg = 'the account could not be stored: the next start is signed out';
  expect(unusable.kept.lines()).toEqual([{ level: 'error', code: 'ENOTDIR', msg }]);
});

test('deletes the file at a sign-out, also at that of the next start, and stores the same account again', async () => {
  const path = pathIn(mainFolder());
  const { keep } = open(path);
  await Promise.all([keep(HERE), keep(SIGNED_OUT)]);
  expect(existsSync(path)).toBe(false);
  await keep(HERE);
  const next = open(path);
  expect(await next.read()).toEqual(HERE);
  await next.keep(await next.read());
  await next.remove();
  expect(existsSync(path)).toBe(false);
  // A loaded account that is not accepted stays.
  const stored = pathIn(mainFolder());
  await open(stored).keep(HERE);
  const before = readFileSync(stored);
  const other = open(stored);
  await other.read();
  await other.keep(SIGNED_OUT);
  expect(readFileSync(stored)).toEqual(before);
  await other.keep({ ...HERE, platform: 'wss://there' });
  expect(await other.read()).toEqual({ ...HERE, platform: 'wss://there' });
});

test.each([
  ['the account', open, HERE],
  ['the assistant’s settings', openAssistant, SETTINGS],
])('encrypts %s again when its key is old', async (...[, openFile, value]) => {
  const path = pathIn(mainFolder());
  await openFile(path).keep(value);
  const more = { devices: [{ name: 'desk' }] };
  writeFileSync(path, JSON.stringify(Object.assign(JSON.parse(readFileSync(path, 'utf8')), more)));
  const [old, current] = [mainEncryption(1), mainEncryption(2)];
  const decryptStringAsync: Encryption['decryptStringAsync'] = async (bytes) =>
    Object.assign(await old.decryptStringAsync(bytes), { shouldReEncrypt: true });
  await openFile(path, { ...current, decryptStringAsync }).load();
  expect(await openFile(path, current).read()).toEqual(value);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(more);
});

function openAssistant(path: string, encryption: Encryption = mainEncryption(1)) {
  const kept = mainLog();
  const notes: string[] = [];
  const file = assistantFile({ path, encryption, log: kept.log, notify: (text) => notes.push(text) });
  const { read } = file;
  return { kept, notes, read, load: read, keep: () => file.write(SETTINGS), signOut: async () => {} };
}

const ELSEWHERE = 'the account file was encrypted on another host: signed out, and the file is unchanged';
const KEY_LOGGED = 'the assistant’s key was encrypted on another host: the file is unchanged';
const KEY_ELSEWHERE =
  'The assistant’s key was stored on another computer and cannot be read here. The demonstration answers. To connect your assistant again, open Settings, then Assistant.';

test.each([
  ['the account', open, HERE, ELSEWHERE, []],
  ['the assistant’s settings', openAssistant, SETTINGS, KEY_LOGGED, [KEY_ELSEWHERE]],
])(
  'spec §2.2, contract §2 data folder, cannot decrypt: stores %s with mode 0600, encrypted if the host can, and leaves the file unchanged on a host with another key or with none',
  async (...[, openFile, value, msg, notices]) => {
    const path = pathIn(mainFolder());
    await openFile(path).keep(value);
    expect([await openFile(path).read(), statSync(path).mode & 0o777]).toEqual([value, 0o600]);
    const before = readFileSync(path);
    expect(before.toString()).not.toContain('secret-1');
    for (const encryption of [mainEncryption(2), noEncryption]) {
      const { read, signOut, kept, notes } = openFile(path, encryption);
      expect((await read()) ?? null).toBeNull();
      await signOut();
      expect([readFileSync(path), kept.lines()]).toEqual([before, [{ level: 'warn', path, msg }]]);
      expect(notes).toEqual(notices);
    }
    const unencrypted = pathIn(mainFolder());
    await openFile(unencrypted, noEncryption).keep(value);
    expect(await openFile(unencrypted, noEncryption).read()).toEqual(value);
  },
);

const ACCOUNT_LOST = 'the account file is corrupt: signed out, and a copy is kept';
const ASSISTANT_LOST = 'the assistant’s file is corrupt: a copy is kept';

const KEY_OF_TWO_WORDS = '{"version":1,"url":"http://a","model":null,"prompt":null,"key":"sk of ada"}';

test.each([
  ['of an account of another structure', open, '{"id":"secret-1"}', ACCOUNT_LOST, 0],
  ['with an empty account', open, '{"version":1,"platform":"wss://here","account":""}', ACCOUNT_LOST, 0],
  ['of bytes', open, Uint8Array.of(0xff, 0x00, 0xfe), ACCOUNT_LOST, 0],
  ['of the assistant, cut off', openAssistant, '{"version":1,"url":"http://a/v1","mod', ASSISTANT_LOST, 1],
  ['with a key of two words', openAssistant, KEY_OF_TWO_WORDS, ASSISTANT_LOST, 1],
])('quarantines and logs a file %s', async (...[, openFile, contents, msg, notices]) => {
  const folder = mainFolder();
  const path = pathIn(folder);
  writeFileSync(path, contents);
  const { read, kept, notes } = openFile(path);
  expect([(await read()) ?? null, readdirSync(folder)]).toEqual([null, ['account.json.corrupt-1']]);
  expect(readFileSync(`${path}.corrupt-1`)).toEqual(Buffer.from(contents));
  expect(kept.lines()).toEqual([{ level: 'error', kept: `${path}.corrupt-1`, msg }]);
  expect(notes.map((note) => note.includes('is damaged, and a copy'))).toEqual(Array(notices).fill(true));
});

const NEWER = { version: 2, platform: HERE.platform, account: HERE.id, devices: [{ name: 'desk' }] };
const KNOWN = { url: 'http://b', model: null, prompt: null, key: 'sk-1' };
const NEWER_SETTINGS = { version: 2, ...KNOWN, heat: { top: 1 } };

test.each([
  ['of the account', open, NEWER, HERE, NEWER],
  ['of the assistant', openAssistant, NEWER_SETTINGS, KNOWN, { ...NEWER_SETTINGS, ...SETTINGS }],
])(
  'contract §2 newer version: uses the known fields of a newer version’s file %s, and leaves its other fields in it',
  async (...[, openFile, newer, known, after]) => {
    const folder = mainFolder();
    const path = pathIn(folder);
    writeFileSync(path, JSON.stringify(newer));
    const { read, keep, kept, notes } = openFile(path, noEncryption);
    expect(await read()).toEqual(known);
    await keep(HERE);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(after);
    expect([readdirSync(folder), kept.lines(), notes]).toEqual([[basename(path)], [], []]);
  },
);

test('contract §2 newer version: reads nothing, says why and leaves the file, when a newer version has stored it in another form, or it cannot be read', async () => {
  const other = '{"version":2,"url":"http://a","accounts":[]}';
  const told: unknown[] = [];
  for (const openFile of [open, openAssistant]) {
    const path = pathIn(mainFolder());
    writeFileSync(path, other);
    for (const at of [path, dirname(path)]) {
      const { read, kept, notes } = openFile(at);
      told.push((await read()) ?? null, ...kept.lines(), ...notes);
    }
    expect(readFileSync(path, 'utf8')).toBe(other);
  }
  const text = told.map((one) => `${JSON.stringify(one)}\n`).join('');
  await expect(text.replaceAll(/"\/[^"]+"/gu, '"PATH"')).toMatchFileSnapshot('testing/unusable.txt');
});
