import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { smallDisk } from '#tests/builders/smallDisk.ts';

/** Tests the built programs with faults of the data folder, of the machine and of the platform. Most tests need root. */
const OUT = resolve(import.meta.dirname, '..', 'out');
const PROGRAMS = {
  start: join(OUT, 'start/start.js'),
  platform: join(OUT, 'platform/platform.js'),
  replay: join(OUT, 'replay/cli.js'),
} as const;
const CAPTURE = resolve(import.meta.dirname, 'captures/header-only.parley.jsonl');

const isRoot = process.getuid?.() === 0;
beforeAll(() => {
  if (!isRoot) console.warn('not root: read-only and full disks, other users and networks are not tested');
});

/** Runs a command with only the given environment variables. */
function run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let seen = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (seen += data.toString()));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr]) => ({ status: child.exitCode, stdout, stderr }),
  );
  return { child, ended, printed: () => seen };
}

const node = (program: keyof typeof PROGRAMS, ...args: readonly string[]) => [
  process.execPath,
  PROGRAMS[program],
  ...args,
];
const until = (running: ReturnType<typeof run>, words: RegExp | string) =>
  vi.waitFor(() => expect(running.printed()).toMatch(words), { timeout: 30_000 });

function fullDisk(): string {
  const disk = smallDisk(64);
  disk.fill();
  return disk.path;
}

function readOnlyDisk(): string {
  const { path } = smallDisk(64);
  execFileSync('mount', ['-o', 'remount,ro', path]);
  return path;
}

const REMOVE_LOOPBACK = 'ip link set lo up; ip addr del 127.0.0.1/8 dev lo';
/** Runs the command that follows it without 127.0.0.1. */
const WITHOUT_LOOPBACK = ['unshare', '-n', 'sh', '-c', `${REMOVE_LOOPBACK}; exec "$@"`, 'sh'];

describe.each([
  ['start', 'platform', '`npm start`'],
  ['platform', 'start', '`npm run platform`'],
] as const)('%s', (program, other, name) => {
  test('starts, also on a full disk, which it says, and keeps the folder from another program, which names the owner, until it ends', async () => {
    const env = { PARLEY_DATA_DIR: isRoot ? fullDisk() : mainFolder() };
    const owner = run(node(program), env);
    await until(owner, 'is ready at');
    const { status, stdout, stderr } = await run(node(other), env).ended;
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/u);
    expect(stderr).toContain(`is in use by ${name} (process ${owner.child.pid})`);
    owner.child.kill('SIGTERM');
    const ended = await owner.ended;
    expect(ended.status).toBe(0);
    expect(ended.stderr).toContain(isRoot ? 'owner file cannot be written' : '');
    await until(run(node(other), env), 'is ready at');
  });

  test.runIf(isRoot)('ends with one line without 127.0.0.1', async () => {
    const env = { PARLEY_DATA_DIR: mainFolder() };
    const { status, stdout, stderr } = await run([...WITHOUT_LOOPBACK, ...node(program)], env).ended;
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*cannot listen on 127\.0\.0\.1[^\n]*\n$/u);
  });
});

test.runIf(isRoot).each<[string, () => string]>([
  ['the disk is full', fullDisk],
  ['the disk is read-only', readOnlyDisk],
])('the replay tool ends with one line when %s', async (reason, make) => {
  const target = join(make(), 'y.parley.jsonl');
  const { status, stdout, stderr } = await run(node('replay', 'redact', CAPTURE, '-o', target)).ended;
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(`${target}: cannot be written: ${reason}\n`);
});

test('`npm start` reports that its folder was removed, and no second program starts at its path', async () => {
  const path = join(mainFolder(), 'data');
  const env = { PARLEY_DATA_DIR: path };
  const first = run(node('start'), env);
  await until(first, 'Parley is ready at');
  rmSync(path, { recursive: true });
  await until(first, 'the data folder was removed or replaced');
  expect(existsSync(path)).toBe(false);
  mkdirSync(path, { mode: 0o700 });
  const second = await run(node('platform'), env).ended;
  expect(second).toMatchObject({ status: 2, stdout: '' });
  expect(second.stderr).toMatch(/^[^\n]*was removed while `npm start` \(process \d+\) used it[^\n]*\n$/u);
  expect(first.child.exitCode).toBeNull();
  first.child.kill('SIGKILL');
  await first.ended;
  await until(run(node('platform'), env), 'is ready at');
});

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

test('answers pages and ends within 2 s, with a small log, while the platform floods it', async () => {
  const platform = (await floodingPeer('[]')).replace(/\/$/u, '');
  const dataDir = mainFolder();
  const account = JSON.stringify({ version: 1, platform, account: 'account-1' });
  writeFileSync(join(dataDir, 'account.json'), account, { mode: 0o600 });
  const messenger = run(node('start'), {
    PARLEY_CAPTURE: '1',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PLATFORM_URL: platform,
    PARLEY_API_URL: platform.replace('ws:', 'http:'),
  });
  const log = () => readFileSync(join(dataDir, 'logs', 'parley.log'), 'utf8');
  await until(messenger, /ready at http:\S+/u);
  const [url = ''] = /http:\S+/u.exec(messenger.printed()) ?? [];
  await vi.waitUntil(() => log().includes('session launched'), { timeout: 20_000 });
  const times: number[] = [];
  const timed = async (act: () => Promise<unknown>) => {
    const begun = performance.now();
    await act();
    times.push(performance.now() - begun);
  };
  for (let request = 0; request < 30; request++)
    await timed(() => fetch(url, { redirect: 'manual', method: 'HEAD' }));
  messenger.child.kill('SIGTERM');
  await timed(() => messenger.ended);
  expect(messenger.child.exitCode).toBe(0);
  expect(Math.max(...times)).toBeLessThan(2000);
  expect(log().length).toBeLessThan(100_000);
});
