import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from './builders/mainFolder.ts';
import { readCaptureFile } from './builders/mainRecorder.ts';
import { startPlatform } from './builders/startPlatform.ts';
import { CAN_MOUNT, smallDisk } from './builders/smallDisk.ts';

const START = resolve(import.meta.dirname, '../out/start/start.js');

/** A WebSocket server in a separate process: it answers pings and sends a frame without a pause. */
const PEER = `
import { WebSocketServer } from 'ws';
const [frame] = process.argv.slice(1);
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('listening', () => console.log(server.address().port));
server.on('connection', (socket) => {
  const one = Buffer.from([0x81, frame.length, ...Buffer.from(frame)]);
  const chunk = Buffer.concat(Array(16_384).fill(one));
  const line = socket._socket;
  const flood = () => {
    while (line.write(chunk));
  };
  line.on('drain', flood);
  line.on('error', () => {});
  flood();
});
`;

/** Starts a peer that ends with the test; it sends `frame` (at most 125 bytes) without a pause. Resolves to its address. */
async function floodingPeer(frame: string): Promise<string> {
  const args = ['--input-type=module', '--eval', PEER, frame];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port]: unknown[] = await once(child.stdout, 'data');
  return `ws://127.0.0.1:${String(port).trim()}/`;
}

interface Messenger {
  readonly child: ChildProcess;
  readonly url: string;
  /** Sends SIGTERM; resolves with the exit code and the time until the exit, in milliseconds. */
  quit(): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** Starts the built messenger with a stored account. Its stderr is not read. */
async function startSignedIn(dataDir: string, platformUrl: string, apiUrl: string): Promise<Messenger> {
  writeFileSync(
    join(dataDir, 'account.json'),
    JSON.stringify({ version: 1, platform: platformUrl, account: 'account-1' }),
    { mode: 0o600 },
  );
  const child = spawn(process.execPath, [START], {
    env: {
      ...process.env,
      PARLEY_HOST: 'web',
      PARLEY_PORT: '0',
      PARLEY_OPEN: '0',
      PARLEY_CAPTURE: '1',
      PARLEY_DATA_DIR: dataDir,
      PARLEY_PLATFORM_URL: platformUrl,
      PARLEY_API_URL: apiUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the messenger ended with ${String(code)} before it was ready`);
  });
  const [ready]: unknown[] = await Promise.race([once(child.stdout, 'data'), failed]);
  failed.catch(() => undefined);
  const url = /http:\S+/.exec(String(ready))?.[0] ?? '';
  return {
    child,
    url,
    async quit() {
      const begun = performance.now();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      return { code: child.exitCode, ms: performance.now() - begun };
    },
  };
}

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

test('answers pages and ends within 2 s, with a small log, while the platform floods it', async () => {
  const platformUrl = (await floodingPeer('[]')).replace(/\/$/u, '');
  const dataDir = mainFolder();
  const { url, quit } = await startSignedIn(dataDir, platformUrl, platformUrl.replace('ws:', 'http:'));
  await vi.waitUntil(() => textOf(join(dataDir, 'logs', 'parley.log')).includes('session launched'), {
    timeout: 20_000,
  });
  let longest = 0;
  for (let request = 0; request < 30; request++) {
    const begun = performance.now();
    await fetch(url, { redirect: 'manual', method: 'HEAD' });
    longest = Math.max(longest, performance.now() - begun);
  }
  const { code, ms } = await quit();
  expect(code).toBe(0);
  expect(longest).toBeLessThan(2000);
  expect(ms).toBeLessThan(2000);
  expect(textOf(join(dataDir, 'logs', 'parley.log')).length).toBeLessThan(100_000);
});

test.skipIf(!CAN_MOUNT)(
  'continues on a full disk, and completes its capture when there is room again (skipped where no disk can be mounted)',
  async () => {
    const platform = await startPlatform();
    onTestFinished(() => platform.stop());
    const disk = smallDisk(1024);
    const { quit, child } = await startSignedIn(disk.path, platform.platformUrl, platform.apiUrl);
    const socket = await platform.sockets.next();
    socket.send({ person: 'Ada', messages: [] });
    const captures = join(disk.path, 'captures');
    const capture = () =>
      existsSync(captures) ? textOf(join(captures, readdirSync(captures)[0] ?? 'none')) : '';
    await vi.waitUntil(() => capture().includes('Ada'), { timeout: 20_000 });
    disk.fill();
    for (let n = 0; n < 50; n++) {
      socket.send({ name: `while full ${n} ${'x'.repeat(10_000)}` });
      socket.sendText('not JSON');
    }
    await pause(3000);
    expect(child.exitCode).toBeNull();
    expect(capture()).not.toContain('while full 49');
    disk.free();
    await vi.waitUntil(() => capture().includes('while full 49'), { timeout: 30_000 });
    expect((await quit()).code).toBe(0);
    const { records } = readCaptureFile(join(captures, readdirSync(captures)[0] ?? ''));
    expect(records.filter(({ type }) => type === 'recv')).toHaveLength(101);
  },
);
