import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tableOf } from '#tests/builders/tableOf.ts';
import { dataDir, toDataFolderError } from './dataFolder.ts';
import { fileErrorReason, isDiskFull, quoteForShell, readErrorReason } from './fileErrorReason.ts';

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
