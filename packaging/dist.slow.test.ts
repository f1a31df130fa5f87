import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { afterAll, expect, test, vi } from 'vitest';
import { config } from './config.mjs';

/**
 * Tests the packaging without Electron's runtime: electron-builder packs the built files into a stand-in for the runtime,
 * whose executable contains only a fuse wire like Electron's.
 */
const ROOT = resolve(import.meta.dirname, '..');
// electron-builder is slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const folder = mkdtempSync(join(tmpdir(), 'parley-dist-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(program: string, args: readonly string[], env = process.env) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { status: child.exitCode, stdout, stderr };
}

const dist = (...args: string[]) => run(join(ROOT, 'packaging', 'dist.mjs'), args);

const checkFuses = (executable: string) => run(join(ROOT, 'packaging', 'checkFuses.mjs'), [executable]);

/** The marker of the fuse wire in Electron's executable, its version, and each fuse in the opposite state. */
const WIRE = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100110'),
]);

function standInRuntime(): string {
  const runtime = join(folder, 'runtime');
  mkdirSync(join(runtime, 'resources'), { recursive: true });
  const executable = Buffer.concat([Buffer.from('\u007FELF'), Buffer.alloc(64), WIRE, Buffer.alloc(64)]);
  writeFileSync(join(runtime, 'electron'), executable, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(runtime, name), name);
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'packaging/node_modules/electron/package.json'), 'utf8'),
  );
  writeFileSync(join(runtime, 'version'), version);
  return runtime;
}

test('the configuration is valid for electron-builder and has the four kinds of installers', async () => {
  await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined();
  expect([config.linux?.target, config.mac?.target, config.win?.target]).toEqual([
    ['AppImage', 'deb'],
    ['dmg'],
    ['nsis'],
  ]);
});

test('contract §1 npm run dist: packages the program with each fuse set and an archive of built files only', async () => {
  const output = join(folder, 'packed');
  const packed = await dist('--linux', '--dir', '--runtime', standInRuntime(), '--output', output);
  expect(packed).toMatchObject({ status: 0 });
  const program = join(output, 'linux-unpacked');

  expect(await checkFuses(join(program, 'parley'))).toMatchObject({ status: 0 });
  expect(await checkFuses(join(folder, 'runtime', 'electron'))).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^wrong fuses: RunAsNode, /),
  });
  const { version: _, ...wire } = await getCurrentFuseWire(join(program, 'parley'));
  const fuses = Object.entries(wire).map(([fuse, state]) => [
    FuseV1Options[Number(fuse)],
    FuseState[Number(state)],
  ]);
  expect(Object.fromEntries(fuses)).toEqual({
    RunAsNode: 'DISABLE',
    EnableCookieEncryption: 'ENABLE',
    EnableNodeOptionsEnvironmentVariable: 'DISABLE',
    EnableNodeCliInspectArguments: 'DISABLE',
    EnableEmbeddedAsarIntegrityValidation: 'ENABLE',
    OnlyLoadAppFromAsar: 'ENABLE',
    LoadBrowserProcessSpecificV8Snapshot: 'DISABLE',
    GrantFileProtocolExtraPrivileges: 'DISABLE',
    WasmTrapHandlers: 'ENABLE',
  });

  const archive = join(program, 'resources', 'app.asar');
  const files = listPackage(archive, { isPack: false });
  expect(new Set(files.map((file) => file.split('/')[1]))).toEqual(
    new Set(['LICENSE', 'out', 'package.json']),
  );
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const { main } = JSON.parse(extractFile(archive, 'package.json').toString());
  expect(files).toEqual(
    expect.arrayContaining([`/${main}`, '/out/electron/preload.cjs', '/out/renderer/index.html']),
  );
});

test('rejects a missing runtime with one line and exit 2', async () => {
  const nowhere = join(folder, 'nowhere');
  expect(await dist('--linux', '--runtime', nowhere)).toEqual({
    status: 2,
    stdout: '',
    stderr: `dist: ${nowhere}: there is no such folder\n`,
  });
});

test('contract §1 help, bad usage: exits with 2 for an unknown option, and with 0 for --help', async () => {
  expect(await dist('--nope')).toMatchObject({ status: 2, stdout: '' });
  expect(await dist('--help')).toMatchObject({ status: 0, stderr: '' });
});
