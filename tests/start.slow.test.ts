import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { scripts } from '../package.json';
import { messengerEnvironment } from '../soak/harness/startMessenger.ts';
import { mainFolder } from './builders/mainFolder.ts';

/** Tests `npm start` as a script uses it: settings, exit status, stdout and stderr. */
const START = resolve(import.meta.dirname, '../out/start/start.js');

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runProgram(START, args, { PARLEY_OPEN: '0', ...env }).ended;

test('contract §2 bad values, contract §1 help, bad usage: rejects a bad value and an unknown option with one line and exit 2, and lists the settings for --help with exit 0', async () => {
  const [bad, unknown, help] = await Promise.all([
    run([], { PARLEY_ASSISTANT_MODEL: 'm' }),
    run(['--what']),
    run(['--help']),
  ]);
  for (const { code, stdout, stderr } of [bad, unknown]) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/u);
  }
  expect(bad.stderr).toContain('PARLEY_ASSISTANT_MODEL');
  expect([help.code, help.stderr]).toEqual([0, '']);
  const names = ['API_URL', 'PLATFORM_URL', 'HOST', 'PORT', 'OPEN', 'DATA_DIR', 'CAPTURE', 'AUDIO'];
  for (const name of [...names, 'ASSISTANT_URL']) expect(help.stdout).toContain(`PARLEY_${name} `);
});

test('`npm start` sets the memory allocator as the soak and the benchmarks do', () => {
  const { MALLOC_MMAP_THRESHOLD_: bytes } = messengerEnvironment({});
  expect(scripts.start).toContain(`MALLOC_MMAP_THRESHOLD_=${bytes} exec node`);
});

/** Characters of a path that mean something else in a URL. Node refuses a backslash in a path on Linux. */
const FOLDER = 'C: Parley #1 at 100%';

/** A program in place of Electron: outputs its first argument and each signal, and ends at SIGTERM. It fails unless it leads a process group. */
const ELECTRON = `#!${process.execPath}
  const fs = require('node:fs');
  if (process.argv[2] === '--version') process.exit(0);
  const say = (line) => fs.writeSync(1, line + '\\n');
  process.on('SIGINT', say);
  process.on('SIGTERM', () => process.exit(0));
  setTimeout(() => {}, 60_000);
  process.kill(-process.pid, 0);
  say(process.argv[2]);
`;

/** Starts a copy of the built programs with a program in place of Electron. */
function startWith(context: TestContext, electron: string, env: Readonly<Record<string, string>>) {
  const root = join(mainFolder(), FOLDER);
  const [start, runtime] = [join(root, 'out', 'start'), join(root, 'packaging/node_modules/electron')];
  for (const folder of [start, join(runtime, 'dist')]) mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(resolve(START, '..')).filter((one) => one.endsWith('js')))
    copyFileSync(resolve(START, '..', name), join(start, name));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(runtime, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(runtime, 'path.txt'), 'electron');
  writeFileSync(join(runtime, 'dist', 'electron'), electron, { mode: 0o755 });
  const dataDir = mainFolder();
  const addresses = { PARLEY_API_URL: 'http://127.0.0.1:1', PARLEY_PLATFORM_URL: 'ws://127.0.0.1:1' };
  const child = spawn(process.execPath, [join(start, 'start.js')], {
    env: { ...messengerEnvironment({ ...addresses, PARLEY_DATA_DIR: dataDir }), DISPLAY: ':0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, like that of a terminal's command.
    detached: true,
  });
  context.onTestFinished(() => void child.kill('SIGKILL'));
  const owner = (): unknown => JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'));
  return { root, child, owner, stderr: text(child.stderr) };
}

test('contract §1 signals, §2 PARLEY_HOST: starts Electron, which receives a signal to the process group once', async (context) => {
  const { root, child, owner, stderr } = startWith(context, ELECTRON, { PARLEY_HOST: 'electron' });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toEqual({ done: false, value: join(root, 'out/electron/main.js') });
  // The web host refuses this folder now.
  expect(owner()).toMatchObject({ program: 'electron' });
  process.kill(-(child.pid ?? 0), 'SIGINT');
  expect(await lines.next()).toEqual({ done: false, value: 'SIGINT' });
  child.kill('SIGTERM');
  expect(await lines.next()).toMatchObject({ done: true });
  expect(await stderr).toBe('');
});

test('exits with 1 and one line when Electron’s executable cannot be run', async (context) => {
  const { child, stderr } = startWith(context, '#!/no/such/program\n', { PARLEY_HOST: 'electron' });
  expect(await stderr).toBe(
    'Electron cannot be started (ENOENT): run `npx install-electron` in packaging/ again, or set PARLEY_HOST=web\n',
  );
  await expect.poll(() => child.exitCode).toBe(1);
});

test('contract §1 npm start, signals, §2 PARLEY_HOST, §2 plain address, ready line: uses the web host, with one line, when Electron cannot start; prints only the ready line on stdout, warns of each plain address of another machine, and exits with 0 on SIGTERM', async (context) => {
  const env = { PARLEY_HOST: 'auto', PARLEY_API_URL: 'http://platform.invalid' };
  const { child, stderr } = startWith(context, '#!/bin/false\n', env);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toMatch(/^Parley is ready at http:\/\/127\.0\.0\.1:\S+$/u);
  child.kill('SIGTERM');
  expect(await lines.next()).toMatchObject({ done: true });
  const printed = await stderr;
  expect(printed.match(/^Electron.*$/gmu)).toEqual([
    'Electron cannot start here, so Parley uses a browser: for the reason, set PARLEY_HOST=electron',
  ]);
  expect(printed).toContain('PARLEY_API_URL is a plain address');
  expect(printed).not.toContain('PARLEY_PLATFORM_URL');
  await expect.poll(() => child.exitCode).toBe(0);
});
