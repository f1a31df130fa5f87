import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { captureFolder } from './captureFolder.ts';

const STARTED = '2026-11-20T09:00:00.000Z';
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function* pieces() {
  yield 'a';
  throw new Error('half way');
}

test('contract §2: creates the folder with mode 0700 and a file with mode 0600, named by the session’s launch', async () => {
  const path = join(mainFolder(), 'captures');
  const file = await captureFolder(path).create(STARTED);
  await file.close();
  expect(readdirSync(path)).toEqual(['2026-11-20T09-00-00.000Z-recorded.parley.jsonl']);
  expect([modeOf(path), modeOf(join(path, readdirSync(path)[0] ?? ''))]).toEqual(['700', '600']);
});

test('appends the next number when the name is taken, for new and saved captures', async () => {
  const path = join(mainFolder(), 'captures');
  const folder = captureFolder(path);
  await (await folder.create(STARTED)).close();
  await (await folder.create(STARTED)).close();
  await folder.save(STARTED, ['first']);
  const saved = await folder.save(STARTED, ['a', 'b\n']);
  expect(saved).toBe(join(path, '2026-11-20T09-00-00.000Z-2.parley.jsonl'));
  expect(readFileSync(saved, 'utf8')).toBe('ab\n');
  expect(modeOf(saved)).toBe('600');
  expect(readdirSync(path).sort()).toEqual([
    '2026-11-20T09-00-00.000Z-2.parley.jsonl',
    '2026-11-20T09-00-00.000Z-recorded-2.parley.jsonl',
    '2026-11-20T09-00-00.000Z-recorded.parley.jsonl',
    '2026-11-20T09-00-00.000Z.parley.jsonl',
  ]);
});

test('leaves no file when saving fails half way', async () => {
  const path = join(mainFolder(), 'captures');
  await expect(captureFolder(path).save(STARTED, pieces())).rejects.toThrow('half way');
  expect(readdirSync(path)).toEqual([]);
});

test('rejects with the system’s error when a file is in the folder’s place', async () => {
  const path = join(mainFolder(), 'captures');
  writeFileSync(path, '');
  await expect(captureFolder(path).create(STARTED)).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(captureFolder(path).save(STARTED, [])).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('lists recordings, other captures and which recording is open', async () => {
  const path = join(mainFolder(), 'captures');
  const folder = captureFolder(path);
  expect(await folder.list()).toEqual([]);
  const ended = await folder.create(STARTED);
  await ended.appendFile('12345');
  await ended.close();
  const open = await folder.create(STARTED);
  onTestFinished(() => open.close());
  await folder.save(STARTED, ['a']);
  for (const name of ['hello-recorded.parley.jsonl', 'notes.txt', 'x.golden.json'])
    writeFileSync(join(path, name), 'x');
  symlinkSync(join(path, 'notes.txt'), join(path, '2026-11-20T09-00-00.000Z-recorded-9.parley.jsonl'));
  const captures = (await folder.list()).map(({ path: file, bytes, isRecording, isOpen }) => [
    basename(file),
    { bytes, isRecording, isOpen },
  ]);
  expect(Object.fromEntries(captures)).toEqual({
    '2026-11-20T09-00-00.000Z-recorded.parley.jsonl': { bytes: 5, isRecording: true, isOpen: false },
    '2026-11-20T09-00-00.000Z-recorded-2.parley.jsonl': { bytes: 0, isRecording: true, isOpen: true },
    '2026-11-20T09-00-00.000Z.parley.jsonl': { bytes: 1, isRecording: false, isOpen: false },
    'hello-recorded.parley.jsonl': { bytes: 1, isRecording: false, isOpen: false },
  });
});
