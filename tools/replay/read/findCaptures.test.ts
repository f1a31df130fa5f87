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

test('contract §7 capture argument: a folder, the captures in it and below it, sorted', async () => {
  const at = await folder();
  expect(await findCaptures([at('')])).toEqual(
    ['[x].parley.jsonl', 'a.parley.jsonl.gz', 'b.parley.jsonl', 'deep/er/c.har'].map(at),
  );
});

test('contract §7 capture argument: a glob and a file that it matches, each once', async () => {
  const at = await folder();
  expect(await findCaptures([at('b.parley.jsonl'), at('*.{jsonl,gz}'), at('./b.parley.jsonl')])).toEqual(
    ['[x].parley.jsonl', 'a.parley.jsonl.gz', 'b.parley.jsonl'].map(at),
  );
});

test('a file whose name looks like a glob, the file', async () => {
  const at = await folder();
  expect(await findCaptures([at('[x].parley.jsonl')])).toEqual([at('[x].parley.jsonl')]);
});

test('a file that is not there, it is left to its reader to say so', async () => {
  expect(await findCaptures(['gone.parley.jsonl'])).toEqual(['gone.parley.jsonl']);
});

test('a folder without captures, a line names it', async () => {
  const at = await folder();
  await expect(findCaptures([at('b.parley.jsonl'), at('empty')])).rejects.toThrow(
    `${at('empty')}: a folder without captures`,
  );
});

test('a glob that matches nothing, a line names it', async () => {
  const at = await folder();
  await expect(findCaptures([at('*.nothing')])).rejects.toThrow(`${at('*.nothing')}: no file matches`);
});
