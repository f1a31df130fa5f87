import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainEncryption, noEncryption } from '#tests/builders/mainEncryption.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import type { Encryption } from '../base/storedSecret.ts';
import { assistantFile } from './assistantFile.ts';

const SETTINGS = {
  url: 'http://127.0.0.1:11434/v1',
  model: 'small',
  key: 'sk-of-ada',
  prompt: 'Be short.',
} as const;

/** Opens the file, like a start of the program. */
function open(path: string, encryption: Encryption = mainEncryption(1)) {
  const kept = mainLog();
  const notes: string[] = [];
  const file = assistantFile({ path, encryption, log: kept.log, notify: (text) => notes.push(text) });
  return { ...file, kept, notes };
}

const pathIn = (folder: string) => join(folder, 'assistant.json');

/** Creates a file with settings that were stored with this encryption. */
async function keptFile(encryption?: Encryption): Promise<string> {
  const path = pathIn(mainFolder());
  await open(path, encryption).write(SETTINGS);
  return path;
}

test('contract §2 data folder: stores the settings with mode 0600 for the next start, the key encrypted', async () => {
  const path = await keptFile();
  expect(await open(path).read()).toEqual(SETTINGS);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain(SETTINGS.key);
});

test.each([
  ['with another key', mainEncryption(2)],
  ['where this host has none', noEncryption],
])(
  'contract §2 cannot decrypt: leaves the file unchanged and tells the person when it was encrypted %s',
  async (_, encryption) => {
    const path = await keptFile();
    const before = readFileSync(path);
    const { read, kept, notes } = open(path, encryption);
    expect(await read()).toBeNull();
    expect(readFileSync(path)).toEqual(before);
    expect(kept.lines()).toMatchObject([{ level: 'warn', path }]);
    expect(notes).toEqual([
      'The assistant’s key was stored on another computer and cannot be read here. The demonstration answers. To connect your assistant again, open Settings, then Assistant.',
    ]);
  },
);

test.each<[string, string]>([
  ['cut off', '{"version":1,"url":"http://a/v1","mod'],
  ['with a key of two words', '{"version":1,"url":"http://a","model":null,"prompt":null,"key":"sk of ada"}'],
])('quarantines a file that is %s, and tells the person', async (_, contents) => {
  const folder = mainFolder();
  const path = pathIn(folder);
  writeFileSync(path, contents);
  const { read, kept, notes } = open(path);
  expect(await read()).toBeNull();
  expect(readdirSync(folder)).toEqual(['assistant.json.corrupt-1']);
  expect(readFileSync(`${path}.corrupt-1`)).toEqual(Buffer.from(contents));
  expect(kept.lines()).toEqual([
    { level: 'error', kept: `${path}.corrupt-1`, msg: 'the assistant’s file is corrupt: a copy is kept' },
  ]);
  expect(notes).toHaveLength(1);
});

test('contract §2 newer version: uses the known settings of a newer version’s file, and leaves its other fields in it', async () => {
  const path = pathIn(mainFolder());
  const newer = { version: 2, url: 'http://a/v1', model: null, prompt: null, key: 'sk-1', heat: { top: 1 } };
  writeFileSync(path, JSON.stringify(newer));
  const { read, write, kept, notes } = open(path, noEncryption);
  expect(await read()).toEqual({ url: 'http://a/v1', model: null, prompt: null, key: 'sk-1' });
  await write({ ...SETTINGS, model: 'large' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ...newer, ...SETTINGS, model: 'large' });
  expect([kept.lines(), notes]).toEqual([[], []]);
});
