import * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { quarantineFile, writeFileAtomically, writePiecesAtomically } from './writeFileAtomically.ts';
import { execFileSync } from 'node:child_process';
import { tableOf } from '#tests/builders/tableOf.ts';
import { dataDir, toDataFolderError } from './dataFolder.ts';
import { fileErrorReason, isDiskFull, quoteForShell, readErrorReason } from './fileErrorReason.ts';

type Args = Parameters<typeof writeFileAtomically>;
const FORMS = [
  ['at once', async (...args: Args) => writeFileAtomically(...args)],
  ['in pieces', (...args: Args) => writePiecesAtomically(...args)],
] as const;

test.each(FORMS)(
  'contract §1 output files: writes a file %s, with its mode, and replaces an existing one, unless it is written exclusively; reports an error; leaves no other file or listener',
  async (_, write) => {
    const folder = mainFolder();
    const path = join(folder, 'a.json');
    const listeners = process.listenerCount('exit');
    await write(path, 'old');
    await write(path, 'new');
    expect([fs.readFileSync(path, 'utf8'), fs.statSync(path).mode & 0o777]).toEqual(['new', 0o600]);
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
    await write(path, 'text', { mode: 0o640 });
    expect(fs.statSync(path).mode & 0o777).toBe(0o640);
    await expect(write(path, 'second', { isExclusive: true })).rejects.toMatchObject({ code: 'EEXIST' });
    expect([fs.readFileSync(path, 'utf8'), fs.readdirSync(folder)]).toEqual(['text', ['a.json']]);
    await expect(write(join(folder, 'nowhere', 'a.json'), 'new')).rejects.toThrow('ENOENT');
    fs.mkdirSync(join(folder, 'taken'));
    await expect(write(join(folder, 'taken'), 'new')).rejects.toThrow('EISDIR');
    await write(join(folder, 'b.json'), 'first', { isExclusive: true });
    expect(fs.readFileSync(join(folder, 'b.json'), 'utf8')).toBe('first');
    expect(fs.readdirSync(folder).sort()).toEqual(['a.json', 'b.json', 'taken']);
    expect(process.listenerCount('exit')).toBe(listeners);
  },
);

const TRACED = 'openSync writeFileSync writeFile fsyncSync fsync closeSync linkSync renameSync rmSync'.split(
  ' ',
);
const CODES = 'EPERM ENOTSUP EOPNOTSUPP ENOSYS EMLINK EISDIR EACCES EINVAL EBADF EIO'.split(' ');
const FAILING = ['link file', 'fsync folder', 'open folder', 'fsync file'];

test('syncs and closes a file before it gets its name, and then its folder; some file systems have no links, or sync no folder', async () => {
  let [folder, failing, calls] = ['', '', ''];
  const opened = new Map<unknown, string>();
  const trace =
    (name: string) =>
    (...args: unknown[]) => {
      const what = opened.get(args[0]) ?? (args[0] === folder ? 'folder' : 'file');
      const call = `${name.replace('Sync', '')} ${what}`;
      calls += `${call}, `;
      const [, code] = failing.split(`${call}: `);
      if (code === 'EMLINK') fs.writeFileSync(join(folder, 'a.json'), 'theirs');
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      const result: unknown = Reflect.apply(Reflect.get(fs, name), undefined, args);
      if (name === 'openSync') opened.set(result, what);
      return result;
    };
  vi.resetModules();
  vi.doMock('node:fs', () => ({ ...fs, ...Object.fromEntries(TRACED.map((name) => [name, trace(name)])) }));
  const module = await import('./writeFileAtomically.ts');
  vi.doUnmock('node:fs');
  vi.resetModules();
  let drawn = '';
  for (failing of ['', ...FAILING.flatMap((call) => CODES.map((code) => `${call}: ${code}`))])
    for (const form of ['writeFileAtomically', 'writePiecesAtomically'] as const)
      for (const isExclusive of [false, true]) {
        [folder, calls] = [mainFolder(), ''];
        const writing = (async () => module[form](join(folder, 'a.json'), 'new', { isExclusive }))();
        const end = (await writing.catch(({ code }: { code: string }) => code)) ?? 'done';
        drawn += `${failing || calls} ${form} ${isExclusive}: ${end}, [${fs.readdirSync(folder).join()}]\n`;
      }
  await expect(drawn).toMatchFileSnapshot('testing/atomicWrites.txt');
});

test('keeps a file that appears during an exclusive write, and requests no pieces when the file exists; writes many small pieces and large ones, texts and bytes, in their order; gives each corrupt file a name of its own', async () => {
  const folder = mainFolder();
  const path = join(folder, 'a.json');
  const late = vi.fn<() => Generator<string>>(function* () {
    fs.writeFileSync(path, 'theirs');
    yield 'new';
  });
  const write = () => writePiecesAtomically(path, { [Symbol.iterator]: late }, { isExclusive: true });
  await expect(write()).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(write()).rejects.toMatchObject({ code: 'EEXIST' });
  expect(late).toHaveBeenCalledTimes(1);
  expect([fs.readFileSync(path, 'utf8'), fs.readdirSync(folder)]).toEqual(['theirs', ['a.json']]);
  fs.rmSync(path);
  const pieces = Array.from({ length: 700 }, (_, at) =>
    at % 2 === 0 ? `${at}é`.repeat(99) : Buffer.from(`${at}`),
  );
  await writePiecesAtomically(path, [...pieces, 'x'.repeat(600_000), 'end']);
  expect(fs.readFileSync(path, 'utf8')).toBe(`${pieces.map(String).join('')}${'x'.repeat(600_000)}end`);
  function* exiting() {
    writeFileAtomically(path, 'another file is complete');
    process.listeners('exit').at(-1)?.(0);
    expect(fs.readdirSync(folder)).toEqual(['a.json']);
    yield 'new';
  }
  await expect(writePiecesAtomically(path, exiting())).rejects.toThrow('ENOENT');
  for (const number of [1, 2]) {
    fs.writeFileSync(path, `corrupt ${number}`);
    expect(fs.readFileSync(quarantineFile(path), 'utf8')).toBe(`corrupt ${number}`);
  }
  expect(fs.readdirSync(folder)).toEqual(['a.json.corrupt-1', 'a.json.corrupt-2']);
});

test('never follows or replaces an entry at the temporary name', async () => {
  const folder = mainFolder();
  const victim = join(folder, 'victim');
  fs.writeFileSync(victim, 'precious');
  vi.resetModules();
  // Later files of the process must not get the module with the mock.
  onTestFinished(() => void vi.resetModules());
  vi.doMock('node:crypto', () => ({ randomBytes: (size: number) => Buffer.alloc(size) }));
  const { writeFileAtomically: write } = await import('./writeFileAtomically.ts');
  vi.doUnmock('node:crypto');
  fs.symlinkSync(victim, join(folder, `.parley-${'0'.repeat(24)}.tmp`));
  expect(() => write(join(folder, 'a.json'), 'new')).toThrow('EEXIST');
  expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
});

test('says in plain words why a file cannot be written or read, and a data folder not be used', async () => {
  const path = join(import.meta.dirname, 'testing/reasons.txt');
  const table = await tableOf(path, (code) => {
    const error = Object.assign(new Error(`the message of ${code}`), code === 'none' ? {} : { code });
    const { message, exitStatus } = Object(toDataFolderError('/data', error));
    return [
      `written: ${fileErrorReason(error)}${isDiskFull(error) ? ', full' : ''}`,
      `read: ${readErrorReason(error)}`,
      `folder: ${message}, exit ${exitStatus}`,
    ].join('\n');
  });
  await expect(table).toMatchFileSnapshot(path);
});

test('contract §2 PARLEY_DATA_DIR: the data folder depends on the system and the environment', async () => {
  const path = join(import.meta.dirname, 'testing/folders.txt');
  const table = await tableOf(path, (line) => {
    const [, os = '', environment = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    return dataDir(JSON.parse(environment), os, () => '/home/ada');
  });
  await expect(table).toMatchFileSnapshot(path);
});

test('quotes a path so that a shell reads it again, and only when it must', () => {
  const paths = ['/a-b_c/d@e%f+g=h:1,2.x', 'größe', 'a b', "it's '", '$HOME', 'a\nb', "a\t'\\b\u007f", '*'];
  const quoted = paths.map(quoteForShell);
  const read = execFileSync('bash', ['-c', `printf '%s\\0' ${quoted.join(' ')}`], { encoding: 'utf8' });
  expect(read.split('\0').slice(0, -1)).toEqual(paths);
  expect(quoted.join('')).not.toMatch(/\p{Cc}/u);
  expect(quoted.slice(0, 3)).toEqual([paths[0], "'größe'", "'a b'"]);
});
