import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCode } from '#shared/formatText.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { createRotatingFile } from './createRotatingFile.ts';

function fileForTest({ folder = join(mainFolder(), 'logs'), maxBytes = 1_000_000, name = 'x.log' } = {}) {
  const clock = virtualClock();
  const reported: unknown[] = [];
  const path = join(folder, name);
  const file = createRotatingFile({
    path,
    maxBytes,
    maxFiles: 3,
    clock,
    onFailure: (error) => reported.push(errorCode(error)),
    onRecovery: () => reported.push('recovered'),
  });
  return { file, clock, reported, path, folder, text: (of = name) => readFileSync(join(folder, of), 'utf8') };
}

test('appends each line at once, in a folder and a file that only the owner can read', () => {
  const { file, path, folder, text } = fileForTest();
  file.write('one\n');
  expect(text()).toBe('one\n');
  expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
  fileForTest({ folder }).file.write('two\n');
  expect(text()).toBe('one\ntwo\n');
});

test('rotates before a file exceeds its limit, and keeps three files', () => {
  const { file, folder, text } = fileForTest({ maxBytes: 10 });
  for (let line = 1; line <= 9; line++) file.write(`${line}234\n`);
  expect(readdirSync(folder).sort()).toEqual(['x.1.log', 'x.2.log', 'x.log']);
  expect([text('x.2.log'), text('x.1.log'), text()]).toEqual(['5234\n6234\n', '7234\n8234\n', '9234\n']);
  file.write(`${'long '.repeat(10)}\n`);
  expect(text()).toBe(`${'long '.repeat(10)}\n`);
});

test('reports an unusable folder once, retries after 1 s, 2 s and so on, and logs how many lines were lost', () => {
  const folder = join(mainFolder(), 'logs');
  writeFileSync(folder, '');
  const { file, clock, reported, text } = fileForTest({ folder });
  file.write('one\n');
  file.write('two\n');
  clock.advance(1000);
  file.write('three\n');
  expect(reported).toEqual(['ENOTDIR']);
  rmSync(folder);
  clock.advance(1999);
  file.write('four\n');
  expect(reported).toEqual(['ENOTDIR']);
  clock.advance(1);
  file.write('five\n');
  expect(reported).toEqual(['ENOTDIR', 'recovered']);
  const [lost = '', ...rest] = text().split('\n');
  expect(JSON.parse(lost)).toMatchObject({ level: 40, lost: 4 });
  expect(rest).toEqual(['five', '']);
  // A removed data folder is not created again.
  const gone = fileForTest({ folder: join(folder, 'gone', 'logs') });
  gone.file.write('one\n');
  expect([gone.reported, readdirSync(folder)]).toEqual([['ENOENT'], ['x.log']]);
});

test.skipIf(!CAN_MOUNT)(
  'writes complete lines only, and reports a full disk once and its recovery once (skipped where no disk can be mounted)',
  () => {
    const disk = smallDisk(64);
    const { file, clock, reported, text } = fileForTest({ folder: join(disk.path, 'logs') });
    const line = `${'x'.repeat(999)}\n`;
    file.write(line);
    disk.fill();
    for (let i = 0; i < 10; i++) file.write(line);
    expect(reported).toEqual(['ENOSPC']);
    expect(text().length % 1000).toBe(0);
    const written = text().length / 1000;
    disk.free();
    clock.advance(1000);
    file.write(line);
    expect(reported).toEqual(['ENOSPC', 'recovered']);
    const lines = text().trimEnd().split('\n');
    expect(JSON.parse(lines[written] ?? '')).toMatchObject({ lost: 11 - written });
    expect(lines).toHaveLength(written + 2);
  },
);
