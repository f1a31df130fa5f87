import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Access } from './access.ts';
import { removeRedirectPages, writeRedirectPage } from './redirectPage.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { limitUnauthenticatedConnections } from './guard.ts';
import { changes } from '#tests/builders/changes.ts';

function start() {
  const folder = fs.mkdtempSync(join(tmpdir(), 'parley-redirect-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const program = { name: 'Parley', command: 'npm start' };
  const access = new Access({ port: 4310, random: randomBytes, program });
  const timers = new Map<() => void, number>();
  const url = writeRedirectPage(folder, access, (ms, task) => {
    timers.set(task, ms);
    return () => void timers.delete(task);
  });
  return { folder, access, timers, path: fileURLToPath(url) };
}

it('writes a page that only its owner can read, under an unpredictable name', () => {
  const { path, folder, access } = start();
  expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  expect(path.slice(folder.length)).toMatch(/^\/open-[\w-]{22}\.html$/);
  writeRedirectPage(folder, access);
  expect(fs.readdirSync(folder)).toHaveLength(2);
});

it('never follows a link at the name of the page', async () => {
  const { folder, access } = start();
  const victim = join(folder, 'victim');
  fs.writeFileSync(victim, 'precious');
  vi.resetModules();
  vi.doMock('node:crypto', () => ({ randomBytes: (size: number) => Buffer.alloc(size) }));
  const { writeRedirectPage: write } = await import('./redirectPage.ts');
  vi.doUnmock('node:crypto');
  // Later files of the process must not get the modules with the mock.
  vi.resetModules();
  fs.symlinkSync(victim, join(folder, `open-${'A'.repeat(22)}.html`));
  expect(() => write(folder, access)).toThrow('EEXIST');
  expect(fs.readFileSync(victim, 'utf8')).toBe('precious');
});

it('redirects to an address with a token, and removes the page as soon as this is used, or after a minute', async () => {
  const { path, folder, access, timers } = start();
  const [ms] = timers.values();
  const page = fs.readFileSync(path, 'utf8');
  const [token = ''] = /[\w-]{43}/.exec(page) ?? [];
  await expect(page.replaceAll(token, 'TOKEN')).toMatchFileSnapshot('testing/redirect.txt');
  const check = (method: string) => access.check({ method, cookie: undefined, token });
  expect(['POST', 'GET', 'GET'].map(check)).toEqual(['unknown', 'exchange', 'unknown']);
  expect([fs.readdirSync(folder), timers.size, ms]).toEqual([[], 0, 60_000]);
  const unused = start();
  for (const task of unused.timers.keys()) task();
  expect(fs.readdirSync(unused.folder)).toEqual([]);
});

it('removes the pages that a killed program left, and links but not their targets, and nothing else', () => {
  const { folder, path } = start();
  fs.writeFileSync(join(folder, 'account.json'), '{}');
  fs.writeFileSync(join(folder, 'open-me.html'), '');
  fs.symlinkSync(join(folder, 'account.json'), `${path.slice(0, -6)}x.html`);
  removeRedirectPages(folder);
  expect(fs.readdirSync(folder)).toEqual(['account.json', 'open-me.html']);
});

it('closes the oldest connections each time that more than 64 have no accepted request, and no others', async () => {
  const timers = new Map<() => void, number>();
  const server = createServer((request, response) => {
    letIn(request.socket);
    response.end('known');
  });
  const letIn = limitUnauthenticatedConnections(server, (ms, task) => {
    timers.set(task, ms);
    return () => void timers.delete(task);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { changed, until } = changes();
  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
    changed();
  });
  const open = async (count: number): Promise<Socket[]> => {
    const before = accepted;
    const { port } = Object(server.address());
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {}).resume();
    await until(() => accepted === before + count);
    return sockets;
  };
  const known = await open(1);
  for (const socket of known) {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
  }
  expect(timers.size).toBe(0);
  const old = await open(16);
  const recent = await open(64);
  for (const oldest of [old, recent.splice(0, 1), recent.splice(0, 1)]) {
    const closes = oldest.map((socket) => once(socket, 'close'));
    const due = [...timers.keys()].filter((task) => timers.get(task) === 250);
    expect(due).toHaveLength(1);
    for (const task of due) {
      timers.delete(task);
      task();
    }
    await Promise.all(closes);
    expect([...recent, ...known].filter(({ closed }) => closed)).toEqual([]);
    recent.push(...(await open(1)));
  }
  const closes = recent.map((socket) => once(socket, 'close'));
  for (const [task, ms] of timers) if (ms === 10_000) task();
  await Promise.all(closes);
  expect(known.filter(({ closed }) => closed)).toEqual([]);
});
