import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { deleteDataFiles } from './deleteData.ts';

function folderWith(files: readonly string[]): string {
  const folder = mainFolder();
  for (const name of ['captures', 'logs']) mkdirSync(join(folder, name));
  for (const name of files) writeFileSync(join(folder, name), 'a secret of hers');
  return folder;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { encoding: 'utf8', recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

const OURS = [
  'account.json',
  'account.json.corrupt-1',
  'account.json.new',
  'arrivals.json',
  'assistant.json',
  'assistant.json.corrupt-1',
  'preferences.json',
  'window.json',
  'starting.json',
  'failed-start.parley.jsonl',
  'captures/2026-11-20T09-00-00.000Z.parley.jsonl',
  'captures/2026-11-20T09-00-00.000Z-2.parley.jsonl.new',
  'captures/hello.parley.jsonl.gz',
  'captures/hello.golden.json',
  'logs/parley.1.log',
];

describe('deletes the files of a data folder', () => {
  test('removes the account, preferences, window bounds, captures and logs with their copies', async () => {
    const folder = folderWith(OURS);
    expect(await deleteDataFiles(folder)).toEqual({ deleted: OURS.length, failed: [], foreign: 0 });
    expect(filesIn(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual(['logs']);
  });

  test('keeps the platform’s file, the instance file and what Parley did not write', async () => {
    const others = ['platform.json', 'instance.json', 'captures/notes.txt', 'logs/other.log'];
    const folder = folderWith(['account.json', ...others]);
    expect(await deleteDataFiles(folder)).toEqual({ deleted: 1, failed: [], foreign: 2 });
    expect(filesIn(folder)).toEqual(['instance.json', 'notes.txt', 'other.log', 'platform.json']);
  });

  test('empties the log that the logger appends to', async () => {
    const folder = folderWith(['logs/parley.log']);
    await deleteDataFiles(folder);
    expect(readFileSync(join(folder, 'logs/parley.log'), 'utf8')).toBe('');
  });

  test('deletes the captures of a linked folder, and leaves the link and other files there', async () => {
    const elsewhere = folderWith(['hello.parley.jsonl', 'thesis.txt']);
    const folder = mainFolder();
    symlinkSync(elsewhere, join(folder, 'captures'));
    expect(await deleteDataFiles(folder)).toMatchObject({ deleted: 1, failed: [] });
    expect(filesIn(elsewhere)).toEqual(['thesis.txt']);
    expect(readdirSync(folder)).toEqual(['captures']);
  });

  test('continues after a file that cannot be deleted, and names it', async () => {
    const folder = folderWith(['preferences.json']);
    mkdirSync(join(folder, 'account.json'));
    const { deleted, failed } = await deleteDataFiles(folder);
    expect(deleted).toBe(1);
    expect(failed.map(({ path }) => path)).toEqual(['account.json']);
    expect(readdirSync(folder).sort()).toEqual(['account.json', 'logs']);
  });

  test('deletes nothing for a missing folder', async () => {
    expect(await deleteDataFiles(join(mainFolder(), 'gone'))).toEqual({ deleted: 0, failed: [], foreign: 0 });
  });
});
