import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/files.ts';
import { findCaptures } from './findCaptures.ts';

async function folder() {
  const at = await temporaryFolder();
  await mkdir(at('deep/er'), { recursive: true });
  await mkdir(at('empty'));
  const names = [
    'b.parley.jsonl',
    'a.parley.jsonl.gz',
    'deep/er/c.har',
    'deep/notes.txt',
    'b.golden.json',
    '[x].parley.jsonl',
  ];
  await Promise.all(names.map((name) => writeFile(at(name), '')));
  return at;
}

test('contract §7 capture argument: finds the captures in a folder and its subfolders, sorted', async () => {
  const at = await folder();
  expect(await findCaptures([at('')])).toEqual(
    ['[x].parley.jsonl', 'a.parley.jsonl.gz', 'b.parley.jsonl', 'deep/er/c.har'].map(at),
  );
});

test('contract §7 capture argument: returns a file that a glob also matches once', async () => {
  const at = await folder();
  expect(await findCaptures([at('b.parley.jsonl'), at('*.{jsonl,gz}'), at('./b.parley.jsonl')])).toEqual(
    ['[x].parley.jsonl', 'a.parley.jsonl.gz', 'b.parley.jsonl'].map(at),
  );
});

test('accepts a file whose name looks like a glob', async () => {
  const at = await folder();
  expect(await findCaptures([at('[x].parley.jsonl')])).toEqual([at('[x].parley.jsonl')]);
});

test('returns a missing file, which its reader reports', async () => {
  expect(await findCaptures(['gone.parley.jsonl'])).toEqual(['gone.parley.jsonl']);
});

test('names a folder without captures', async () => {
  const at = await folder();
  await expect(findCaptures([at('b.parley.jsonl'), at('empty')])).rejects.toThrow(
    `${at('empty')}: contains no captures`,
  );
});

test('names a glob that matches nothing', async () => {
  const at = await folder();
  await expect(findCaptures([at('*.nothing')])).rejects.toThrow(`${at('*.nothing')}: no file matches`);
});
