import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { glob } from 'tinyglobby';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/files.ts';
import { findCaptures, walkCaptures } from './findCaptures.ts';

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

test('a glob matches what it matches elsewhere, with links and without hidden entries', async () => {
  const at = await folder();
  await mkdir(at('.hidden'));
  await Promise.all(['.hidden/d.har', '.e.har', 'deep/f.har'].map((name) => writeFile(at(name), '')));
  await symlink(at('deep'), at('link'));
  await symlink(at(''), at('deep/loop'));
  const patterns = [
    '*.har',
    '**/*.har',
    'd*/*.har',
    'd*/e*/*.har',
    '*/{er,other}/c.{har,x}',
    '{deep/er,empty}/*.har',
    '.hidden/*.har',
    '.h*/*.har',
    '*/../*.jsonl',
    'deep/**',
    '{.e,deep/f}.har',
    '.*.har',
    '[[]x].parley.jsonl',
    '!*.har',
  ];
  for (const pattern of patterns) {
    const expected = await glob(at(pattern), { absolute: true, expandDirectories: false });
    // A link to a folder that contains it is entered by the other tool.
    const known = expected.filter((path) => !path.includes('/loop/')).sort();
    const found = await findCaptures([at(pattern)]).catch(() => []);
    expect({ pattern, found }).toEqual({ pattern, found: known });
  }
});

test('a glob finds captures while others are found', async () => {
  const at = await folder();
  await mkdir(at('later'));
  const found = walkCaptures([at('*/**/*.har')]);
  expect((await found.next()).value).toMatchObject({ path: at('deep/er/c.har') });
  await writeFile(at('later/new.har'), '');
  expect((await found.next()).value).toMatchObject({ path: at('later/new.har') });
});

test('names a glob that matches nothing', async () => {
  const at = await folder();
  await expect(findCaptures([at('*.nothing')])).rejects.toThrow(`${at('*.nothing')}: no file matches`);
});

test.each([
  ['.', (path: string) => path],
  ['examples', (path: string) => path.slice('examples/'.length)],
])('names a capture by its path inside the folder %s', async (given, nameOf) => {
  for await (const { path, name } of walkCaptures([given])) {
    expect(name).toBe(nameOf(path));
    return;
  }
  expect.unreachable('there is a capture');
});
