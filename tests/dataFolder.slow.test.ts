import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { smallDisk } from '#tests/builders/smallDisk.ts';

/** Tests the built programs with faults of the data folder and of the machine. Most tests need root. */
const OUT = resolve(import.meta.dirname, '..', 'out');
const PROGRAMS = {
  start: join(OUT, 'start/start.js'),
  platform: join(OUT, 'platform/platform.js'),
  replay: join(OUT, 'replay/cli.js'),
} as const;

const isRoot = process.getuid?.() === 0;
beforeAll(() => {
  if (!isRoot) console.warn('not root: read-only and full disks, other users and networks are not tested');
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
  printed(): string;
}

/** Runs a command with only the given environment variables. */
function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
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
const until = (running: Running, words: RegExp | string) =>
  vi.waitFor(() => expect(running.printed()).toMatch(words), { timeout: 30_000 });

function fullDisk(): string {
  const disk = smallDisk(64);
  disk.fill();
  return disk.path;
}

describe.each(['start', 'platform'] as const)('%s', (program) => {
  test.runIf(isRoot)('starts on a full disk, says so, and refuses another program', async () => {
    const env = { PARLEY_DATA_DIR: fullDisk() };
    const owner = run(node(program), env);
    await until(owner, 'is ready at');
    const other = await run(node(program === 'start' ? 'platform' : 'start'), env).ended;
    expect({ status: other.status, stdout: other.stdout }).toEqual({ status: 2, stdout: '' });
    expect(other.stderr).toContain(`(process ${owner.child.pid})`);
    owner.child.kill('SIGTERM');
    const { status, stderr } = await owner.ended;
    expect(status).toBe(0);
    expect(stderr).toContain('owner file cannot be written');
  });
});

test.each([
  ['platform', 'start', '`npm run platform`'],
  ['start', 'platform', '`npm start`'],
] as const)('while %s uses a folder, %s refuses it and names the owner', async (first, second, name) => {
  const env = { PARLEY_DATA_DIR: folder() };
  const owner = run(node(first), env);
  await until(owner, 'is ready at');
  const { status, stdout, stderr } = await run(node(second), env).ended;
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/u);
  expect(stderr).toContain(`is in use by ${name} (process ${owner.child.pid})`);
  owner.child.kill('SIGTERM');
  await owner.ended;
  const later = run(node(second), env);
  await until(later, 'is ready at');
});

test.each<[string, (path: string) => void]>([
  ['removed', (path) => rmSync(path, { recursive: true })],
  ['moved away', (path) => renameSync(path, `${path}-moved`)],
])(
  '`npm start` reports that its folder was %s, and no second program starts at its path',
  async (_, change) => {
    const path = join(folder(), 'data');
    const first = run(node('start'), { PARLEY_DATA_DIR: path });
    await until(first, 'Parley is ready at');
    change(path);
    await until(first, 'the data folder was removed or replaced');
    expect(readdirSync(join(path, '..'))).not.toContain('data');
    mkdirSync(path, { mode: 0o700 });
    const second = await run(node('platform'), { PARLEY_DATA_DIR: path }).ended;
    expect(second).toMatchObject({ status: 2, stdout: '' });
    expect(second.stderr).toMatch(/^[^\n]*was removed while `npm start` \(process \d+\) used it[^\n]*\n$/u);
    expect(first.child.exitCode).toBeNull();
    first.child.kill('SIGKILL');
    await first.ended;
    const third = run(node('platform'), { PARLEY_DATA_DIR: path });
    await until(third, 'is ready at');
  },
);
