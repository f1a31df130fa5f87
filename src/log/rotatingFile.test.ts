import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCode } from '#shared/errorCode.ts';
import { virtualClock } from '#shared/time/virtualClock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { rotatingFile } from './rotatingFile.ts';

function fileForTest({ folder = join(mainFolder(), 'logs'), maxBytes = 1_000_000, name = 'x.log' } = {}) {
  const clock = virtualClock();
  const told: unknown[] = [];
  const path = join(folder, name);
  const file = rotatingFile({
    path,
    maxBytes,
    maxFiles: 3,
    clock,
    onFailure: (error) => told.push(errorCode(error)),
    onRecovery: () => told.push('recovered'),
  });
  return { file, clock, told, path, folder, text: (of = name) => readFileSync(join(folder, of), 'utf8') };
}

test('writes each line at once, into a folder and a file for the owner alone, after what is there', () => {
  const { file, path, folder, text } = fileForTest();
  file.write('one\n');
  expect(text()).toBe('one\n');
  expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
  fileForTest({ folder }).file.write('two\n');
  expect(text()).toBe('one\ntwo\n');
});

test('rotates before a file is too large, and keeps three', () => {
  const { file, folder, text } = fileForTest({ maxBytes: 10 });
  for (let line = 1; line <= 9; line++) file.write(`${line}234\n`);
  expect(readdirSync(folder).sort()).toEqual(['x.1.log', 'x.2.log', 'x.log']);
  expect([text('x.2.log'), text('x.1.log'), text()]).toEqual(['5234\n6234\n', '7234\n8234\n', '9234\n']);
  file.write(`${'long '.repeat(10)}\n`);
  expect(text()).toBe(`${'long '.repeat(10)}\n`);
});

test('a folder that cannot be used, told once, tried again after 1 s, 2 s and so on, and what was lost is logged', () => {
  const folder = join(mainFolder(), 'logs');
  writeFileSync(folder, '');
  const { file, clock, told, text } = fileForTest({ folder });
  file.write('one\n');
  file.write('two\n');
  clock.advance(1000);
  file.write('three\n');
  expect(told).toEqual(['ENOTDIR']);
  rmSync(folder);
  clock.advance(1999);
  file.write('four\n');
  expect(told).toEqual(['ENOTDIR']);
  clock.advance(1);
  file.write('five\n');
  expect(told).toEqual(['ENOTDIR', 'recovered']);
  const [lost = '', ...rest] = text().split('\n');
  expect(JSON.parse(lost)).toMatchObject({ level: 40, lost: 4 });
  expect(rest).toEqual(['five', '']);
});

test('a data folder that was removed, is not made again', () => {
  const data = mainFolder();
  const folder = join(data, 'gone', 'logs');
  const { file, told } = fileForTest({ folder });
  file.write('one\n');
  expect(told).toEqual(['ENOENT']);
  expect(readdirSync(data)).toEqual([]);
});

test('a name of a rotated file that is taken by a folder, does not end the program', () => {
  const { file, folder, told } = fileForTest({ maxBytes: 10 });
  file.write('1234567\n');
  mkdirSync(join(folder, 'x.1.log'));
  writeFileSync(join(folder, 'x.1.log', 'file'), '');
  renameSync(join(folder, 'x.1.log'), join(folder, 'x.2.log'));
  mkdirSync(join(folder, 'x.1.log'));
  file.write('1234567\n');
  expect(told).toHaveLength(1);
});

test.skipIf(!CAN_MOUNT)(
  'a disk that fills up and is freed (skipped unless root): whole lines only, told once each way',
  () => {
    const disk = smallDisk(64);
    const { file, clock, told, text } = fileForTest({ folder: join(disk.path, 'logs') });
    const line = `${'x'.repeat(999)}\n`;
    file.write(line);
    disk.fill();
    for (let i = 0; i < 10; i++) file.write(line);
    expect(told).toEqual(['ENOSPC']);
    expect(text().length % 1000).toBe(0);
    const written = text().length / 1000;
    disk.free();
    clock.advance(1000);
    file.write(line);
    expect(told).toEqual(['ENOSPC', 'recovered']);
    const lines = text().trimEnd().split('\n');
    expect(JSON.parse(lines[written] ?? '')).toMatchObject({ lost: 11 - written });
    expect(lines).toHaveLength(written + 2);
  },
);
