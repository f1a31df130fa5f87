import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Access } from './access.ts';
import { removeRedirectPages, writeRedirectPage } from './redirectPage.ts';

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-redirect-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = { name: 'Parley', command: 'npm start' };
  const access = new Access({ port: 4310, random: randomBytes, program });
  const timers = new Map<() => void, number>();
  const url = writeRedirectPage(folder, access, (ms, task) => {
    timers.set(task, ms);
    return () => void timers.delete(task);
  });
  return { folder, access, timers, path: fileURLToPath(url) };
}

const tokenIn = (path: string) =>
  /url=http:\/\/127\.0\.0\.1:4310\/\?token=([\w-]{43})"/.exec(readFileSync(path, 'utf8'))?.[1];

it('writes a page that only its owner can read, under an unpredictable name', () => {
  const { path, folder, access } = start();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(path.slice(folder.length)).toMatch(/^\/open-[\w-]{22}\.html$/);
  writeRedirectPage(folder, access);
  expect(readdirSync(folder)).toHaveLength(2);
});

it('never follows a link at the name of the page', async () => {
  const { folder, access } = start();
  const victim = join(folder, 'victim');
  writeFileSync(victim, 'precious');
  vi.resetModules();
  vi.doMock('node:crypto', () => ({ randomBytes: (size: number) => Buffer.alloc(size) }));
  const { writeRedirectPage: write } = await import('./redirectPage.ts');
  vi.doUnmock('node:crypto');
  symlinkSync(victim, join(folder, `open-${'A'.repeat(22)}.html`));
  expect(() => write(folder, access)).toThrow('EEXIST');
  expect(readFileSync(victim, 'utf8')).toBe('precious');
});

it('removes the page as soon as its token is used', () => {
  const { path, folder, access, timers } = start();
  const token = tokenIn(path);
  expect(access.check({ method: 'GET', cookie: undefined, token })).toBe('exchange');
  expect(readdirSync(folder)).toEqual([]);
  expect(timers.size).toBe(0);
});

it('removes an unused page after a minute', () => {
  const { folder, timers } = start();
  const [[remove, ms] = [() => {}, 0]] = timers;
  expect(ms).toBe(60_000);
  remove();
  expect(readdirSync(folder)).toEqual([]);
});

it('removes the pages that a killed program left, and links but not their targets, and nothing else', () => {
  const { folder, path } = start();
  writeFileSync(join(folder, 'account.json'), '{}');
  writeFileSync(join(folder, 'open-me.html'), '');
  symlinkSync(join(folder, 'account.json'), `${path.slice(0, -6)}x.html`);
  removeRedirectPages(folder);
  expect(readdirSync(folder)).toEqual(['account.json', 'open-me.html']);
});
