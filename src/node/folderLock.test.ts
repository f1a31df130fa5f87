import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { FolderLock, type Holder, readHolder, removeDeadLock } from './folderLock.ts';

const OWNER = { secret: 'secret', program: 'web' } as const;
const lockFile = () => join(mainFolder(), 'instance.json');

function take(file: string, owner: Pick<Holder, 'secret' | 'program'> = OWNER): FolderLock {
  const lock = FolderLock.take(file, owner);
  if (!(lock instanceof FolderLock)) throw new Error(`held by ${lock.holder.pid}`);
  return lock;
}

/** Writes the lock of another running process, with its real start time; returns the holder. */
function writeForeignLock(file: string): Holder {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const holder = { pid: child.pid ?? 0, began, secret: 'theirs', port: 4311, program: 'platform' } as const;
  writeFileSync(file, JSON.stringify(holder));
  return holder;
}

test('is readable by its owner only, and held until it is released', () => {
  const file = lockFile();
  const lock = take(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(lock.isHeld()).toBe(true);
  lock.release();
  expect(lock.isHeld()).toBe(false);
  expect(readHolder(file)).toBeNull();
});

test('returns the holder and stays unchanged when another process holds it', () => {
  const file = lockFile();
  const holder = writeForeignLock(file);
  expect(FolderLock.take(file, OWNER)).toEqual({ file, holder });
  removeDeadLock(file);
  expect(readHolder(file)).toEqual(holder);
  expect(readdirSync(dirname(file))).toEqual(['instance.json']);
});

test('keeps its secret and port when the same process takes it again', () => {
  const file = lockFile();
  take(file).publish(4310);
  const again = take(file, { secret: 'other', program: 'electron' });
  expect(again.secret).toBe('secret');
  expect(readHolder(file)).toMatchObject({ pid: process.pid, port: 4310, program: 'electron' });
});

test('is free when its process has ended', () => {
  const file = lockFile();
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(file, JSON.stringify({ pid, began: '1', secret: 'dead', port: 4310 }));
  expect(take(file).secret).toBe('secret');
});

test('is free when another process has the number of its process now', () => {
  const file = lockFile();
  const holder = writeForeignLock(file);
  writeFileSync(file, JSON.stringify({ ...holder, began: '1' }));
  expect(take(file).secret).toBe('secret');
});

test.each(['{"pid":', '', '[]', '{"pid":"1"}'])('is free when its contents are %j', (contents) => {
  const file = lockFile();
  writeFileSync(file, contents);
  expect(take(file).isHeld()).toBe(true);
});

test('stays with a running program that this version does not know', () => {
  const file = lockFile();
  const holder = writeForeignLock(file);
  writeFileSync(file, JSON.stringify({ ...holder, program: 'mobile', since: 1 }));
  expect(FolderLock.take(file, OWNER)).toEqual({ file, holder: { ...holder, program: 'web' } });
  removeDeadLock(file);
  expect(readHolder(file)).toMatchObject({ secret: 'theirs' });
});

test('is not released after another process has taken it', () => {
  const file = lockFile();
  const lock = take(file);
  const holder = writeForeignLock(file);
  lock.release();
  expect(readHolder(file)).toEqual(holder);
});

test.skipIf(!CAN_MOUNT)(
  'publishes its port on a disk that is full by now (skipped where no disk can be mounted)',
  () => {
    const { path, fill } = smallDisk(64);
    const file = join(path, 'instance.json');
    const lock = take(file);
    fill();
    lock.publish(4310);
    expect(readHolder(file)).toMatchObject({ port: 4310 });
    expect(lock.isHeld()).toBe(true);
  },
);
