import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { runProgram } from '#platform/testing/program.ts';
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
  if (!isRoot) console.warn('not root: full disks, other users and networks are not tested');
});

const WEB_HOST = { PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0' };

const run = (
  program: keyof typeof PROGRAMS,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
) => runProgram(PROGRAMS[program], args, { ...WEB_HOST, ...env });

const READY = expect.stringContaining('is ready at');

function fullDisk(): string {
  const disk = smallDisk(64);
  disk.fill();
  return disk.path;
}

/** A script of a shell that runs a command without 127.0.0.1. */
const WITHOUT_LOOPBACK = 'ip link set lo up; ip addr del 127.0.0.1/8 dev lo; exec "$0" "$@"';

describe.each([
  ['start', 'platform', '`npm start`'],
  ['platform', 'start', '`npm run platform`'],
] as const)('%s', (program, other, name) => {
  test('starts, also on a full disk, which it says, and keeps the folder from another program, which names the owner, until it ends', async () => {
    const env = { PARLEY_DATA_DIR: isRoot ? fullDisk() : mainFolder() };
    const owner = run(program, env);
    expect(await owner.firstLine).toEqual(READY);
    const { code, stdout, stderr } = await run(other, env).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/u);
    expect(stderr).toContain(`is in use by ${name} (process ${owner.child.pid})`);
    owner.child.kill('SIGTERM');
    const ended = await owner.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(isRoot ? 'owner file cannot be written' : '');
    expect(await run(other, env).firstLine).toEqual(READY);
  });

  test.runIf(isRoot)('ends with one line without 127.0.0.1', () => {
    const env = { PATH: process.env.PATH, ...WEB_HOST, PARLEY_DATA_DIR: mainFolder() };
    const command = ['-n', 'sh', '-c', WITHOUT_LOOPBACK, process.execPath, PROGRAMS[program]];
    const { status, stdout, stderr } = spawnSync('unshare', command, { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*cannot listen on 127\.0\.0\.1[^\n]*\n$/u);
  });
});

test.runIf(isRoot)('the replay tool ends with one line when the disk is full', async () => {
  const target = join(fullDisk(), 'y.parley.jsonl');
  const stderr = `${target}: cannot be written: the disk is full\n`;
  const { ended } = run('replay', {}, ['redact', CAPTURE, '-o', target]);
  expect(await ended).toEqual({ code: 2, stdout: '', stderr });
});

/** Starts a platform that sends the frame `[]` without a pause, until the test ends. Resolves to its host and port. */
async function floodingPlatform(): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const chunk = Buffer.alloc(65_536, Buffer.from([0x81, 2, 0x5b, 0x5d]));
  server.on('connection', (_, { socket }) => {
    const flood = () => {
      while (socket.write(chunk));
    };
    socket.on('drain', flood).on('error', () => {});
    flood();
  });
  return `127.0.0.1:${Object(server.address()).port}`;
}

test('answers pages and ends, with a small log, while the platform floods it', async () => {
  const host = await floodingPlatform();
  const dataDir = mainFolder();
  const account = JSON.stringify({ version: 1, platform: `ws://${host}`, account: 'account-1' });
  writeFileSync(join(dataDir, 'account.json'), account, { mode: 0o600 });
  const addresses = { PARLEY_PLATFORM_URL: `ws://${host}`, PARLEY_API_URL: `http://${host}` };
  const messenger = run('start', { PARLEY_CAPTURE: '1', PARLEY_DATA_DIR: dataDir, ...addresses });
  const log = () => readFileSync(join(dataDir, 'logs', 'parley.log'), 'utf8');
  const [url = ''] = /http:\S+/u.exec(await messenger.firstLine) ?? [];
  await vi.waitUntil(() => log().includes('session launched'), { timeout: 20_000 });
  for (let request = 0; request < 30; request++) await fetch(url, { redirect: 'manual', method: 'HEAD' });
  messenger.child.kill('SIGTERM');
  expect((await messenger.ended).code).toBe(0);
  expect(log().length).toBeLessThan(100_000);
});
