import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLocalAccounts } from './localAccounts.ts';

const PASSWD = `ada:x:1000:1000:Ada:/home/ada:/bin/bash
adam:x:1001:1001:Adam:/home/adam:/bin/sh
ada:x:1002:1002:Another:/home/other:/bin/sh
nis:x:+
zoë:x:1003:1003::/home/zoe:/bin/sh`;

function accountsOf(passwd: string, shadow = '') {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-accounts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { passwd: join(folder, 'passwd'), shadow: join(folder, 'shadow') };
  writeFileSync(files.passwd, passwd);
  writeFileSync(files.shadow, shadow);
  return { files, accounts: createLocalAccounts(files) };
}

test.each([
  ['the first line', 'ada', 1000],
  ['a line in the middle', 'adam', 1001],
  ['a last line without an end', 'zoë', 1003],
])('finds %s by its whole name; of two lines with one name the first counts', (_where, name, uid) => {
  const { accounts } = accountsOf(PASSWD);
  expect(accounts.find(name)).toMatchObject({ username: name, uid });
  expect(accounts.find(name)).toMatchObject({ username: name, uid });
});

test.each(['', 'ad', 'da', 'ada:x', 'ada:x:1000', 'x', '\nadam', 'adam\n', 'nis', 'root'])(
  'finds no account for the name %j',
  (name) => {
    expect(accountsOf(PASSWD).accounts.find(name)).toBeUndefined();
  },
);

test('finds no account in an empty file', () => {
  const { accounts } = accountsOf('');
  expect([accounts.find('ada'), accounts.shadowLine('ada')]).toEqual([undefined, '']);
});

test('reads a file again when it was replaced or removed', () => {
  const { files, accounts } = accountsOf(PASSWD, 'ada:old:1:0:9:7:::\n');
  expect(accounts.shadowLine('ada')).toBe('ada:old:1:0:9:7:::');
  writeFileSync(`${files.shadow}+`, 'adam:new:1:0:9:7:::\nada:new:1:0:9:7:::\n');
  renameSync(`${files.shadow}+`, files.shadow);
  expect(accounts.find('ada')).toMatchObject({ password: 'new', aging: '1:0:9:7:::' });
  rmSync(files.passwd);
  expect(accounts.find('ada')).toBeUndefined();
});
