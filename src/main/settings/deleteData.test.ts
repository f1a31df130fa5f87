import { existsSync, mkdirSync, readdirSync, writeFileSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { deleteData, deleteDataFiles } from './deleteData.ts';

type Options = Parameters<typeof deleteData>[0];

const fail = (): never => {
  throw new Error('ada@example.org');
};
const fails = () => Promise.reject(new Error('ada@example.org'));

/** Prepares a deletion in the test's own folder, and records the order of its steps. */
function setUp(options: Partial<Options> = {}) {
  const dataDir = mainFolder();
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const kept = mainLog();
  const all: Options = {
    dataDir,
    messenger: { signOut: step('signOut') },
    recorder: { idle: step('idle') },
    preferences: { forget: () => void steps.push('preferences') },
    windowBounds: { forget: () => void steps.push('windowBounds') },
    tail: { clear: () => void steps.push('tail') },
    builtInPlatform: { deleteAll: step('platform') },
    assistant: { forget: step('assistant') },
    closeInspector: () => void steps.push('inspector'),
    clearPages: step('pages'),
    log: kept.log,
    ...options,
  };
  return { dataDir, steps, kept, run: (platformFile: boolean) => deleteData(all, { platformFile }) };
}

test('signs out and stops every writer before it deletes, and the data of the built-in platform only if the person chose it', async () => {
  const { run, steps, dataDir } = setUp();
  writeFileSync(join(dataDir, 'account.json'), 'x');
  expect(await run(true)).toBe('Your data was deleted.');
  const writers = ['preferences', 'windowBounds', 'assistant'];
  const order = ['signOut', 'inspector', 'idle', ...writers, 'platform', 'pages', 'tail'];
  expect(steps.splice(0)).toEqual(order);
  expect(readdirSync(dataDir)).toEqual([]);
  await run(false);
  expect(steps).toEqual(order.filter((step) => step !== 'platform'));
});

const UNSTOPPED = 'A part of Parley could not be stopped: quit Parley, and delete your data again.';
const LEFT = 'The built-in platform did not delete its file. What the pages store could not be deleted.';

test.each([
  ['what cannot be stopped', { messenger: { signOut: fails }, closeInspector: fail }, UNSTOPPED],
  ['what is left', { builtInPlatform: { deleteAll: fails }, clearPages: fails }, LEFT],
])('continues after an error, deletes the files, and says %s, and where', async (_, options, text) => {
  const { run, dataDir, steps, kept } = setUp(options);
  writeFileSync(join(dataDir, 'account.json'), 'x');
  expect(await run(true)).toBe(`${text} The data folder is ${dataDir}`);
  expect(steps).toContain('preferences');
  expect(existsSync(join(dataDir, 'account.json'))).toBe(false);
  expect(JSON.stringify(kept.text())).not.toContain('ada@example.org');
});

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

const STATE = ['account', 'arrivals', 'assistant', 'preferences', 'window', 'starting', 'web-host'].map(
  (name) => `${name}.json`,
);
const COPIES = ['account.json.corrupt-1', 'account.json.new', 'assistant.json.corrupt-1'];
const CAPTURES = ['2026-11-20T09-00-00.000Z.parley.jsonl', '2026-11-20T09-00-00.000Z-2.parley.jsonl.new'];
const STORED = [...CAPTURES, 'hello.parley.jsonl.gz', 'hello.golden.json'].map((name) => `captures/${name}`);
const OURS = [...STATE, ...COPIES, ...STORED, 'failed-start.parley.jsonl', 'logs/parley.1.log'];

test('removes the account, preferences, window bounds, captures and logs with their copies, empties the log that the logger appends to, and keeps what Parley did not write', async () => {
  const others = ['platform.json', 'instance.json', 'captures/notes.txt', 'logs/other.log'];
  const folder = folderWith([...OURS, 'logs/parley.log', ...others]);
  expect(await deleteDataFiles(folder)).toEqual({ deleted: OURS.length + 1, failed: [], foreign: 2 });
  const left = ['instance.json', 'notes.txt', 'other.log', 'parley.log', 'platform.json'];
  expect(filesIn(folder)).toEqual(left);
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
