import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { afterAll, expect, test, vi } from 'vitest';
// This folder is a package of its own, without `#platform`.
// oxlint-disable-next-line eslint/no-restricted-imports
import { runProgram } from '../platform/testing/program.ts';
import { config } from './config.mjs';

/**
 * Tests the packaging without Electron's runtime: electron-builder packs the built files into a stand-in for the runtime,
 * whose executable contains only a fuse wire like Electron's.
 */
const ROOT = resolve(import.meta.dirname, '..');
// electron-builder is slow, and slower on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const folder = fs.mkdtempSync(join(tmpdir(), 'parley-dist-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const dist = (...args: string[]) => runProgram(join(ROOT, 'packaging', 'dist.mjs'), args).ended;

const checkFuses = (executable: string) =>
  runProgram(join(ROOT, 'packaging', 'checkFuses.mjs'), [executable]).ended;

const jsonOf = (path: string) => JSON.parse(fs.readFileSync(join(ROOT, path), 'utf8'));

/** The marker of the fuse wire in Electron's executable, its version and length, and each fuse in the opposite state. */
const WIRE = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009101100110');

function standInRuntime(): string {
  const runtime = join(folder, 'runtime');
  fs.mkdirSync(join(runtime, 'resources'), { recursive: true });
  const executable = Buffer.concat([Buffer.from('\u007FELF'), Buffer.alloc(64), WIRE, Buffer.alloc(64)]);
  fs.writeFileSync(join(runtime, 'electron'), executable, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) fs.writeFileSync(join(runtime, name), name);
  fs.writeFileSync(join(runtime, 'version'), jsonOf('packaging/node_modules/electron/package.json').version);
  return runtime;
}

test('the configuration is valid for electron-builder, has the four kinds of installers, and uses the hardened runtime on macOS with the two necessary entitlements only', async () => {
  await expect(validateConfiguration(config, new DebugLogger(false))).resolves.toBeUndefined();
  const targets = [config.linux, config.mac, config.win].map((platform) => platform?.target);
  expect(targets).toEqual([['AppImage', 'deb'], ['dmg'], ['nsis']]);
  const { hardenedRuntime, entitlements = '', entitlementsInherit, extendInfo } = config.mac ?? {};
  expect([hardenedRuntime, entitlementsInherit]).toEqual([true, entitlements]);
  const plist = fs.readFileSync(join(ROOT, entitlements ?? ''), 'utf8');
  const keys = plist.matchAll(/<key>([^<]*)<\/key>\s*<(\w+)\/>/gu);
  expect(Array.from(keys, ([, key, is]) => `${key} ${is}`)).toEqual([
    'com.apple.security.cs.allow-jit true',
    'com.apple.security.device.audio-input true',
  ]);
  expect(extendInfo).toHaveProperty('NSMicrophoneUsageDescription');
});

test('contract §1 npm run dist: packages the program with each fuse set and an archive of built files only', async () => {
  const output = join(folder, 'packed');
  const packed = await dist('--linux', '--dir', '--runtime', standInRuntime(), '--output', output);
  expect(packed).toMatchObject({ code: 0 });
  const program = join(output, 'linux-unpacked');

  expect(await checkFuses(join(program, 'parley'))).toMatchObject({ code: 0 });
  expect(await checkFuses(join(folder, 'runtime', 'electron'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^wrong fuses: RunAsNode, /),
  });
  const { version: _, ...wire } = await getCurrentFuseWire(join(program, 'parley'));
  const fusesThatAre = (state: FuseState) =>
    Object.keys(wire).flatMap((at) => (Reflect.get(wire, at) === state ? FuseV1Options[Number(at)] : []));
  expect(fusesThatAre(FuseState.ENABLE)).toEqual([
    'EnableCookieEncryption',
    'EnableEmbeddedAsarIntegrityValidation',
    'OnlyLoadAppFromAsar',
    'WasmTrapHandlers',
  ]);
  expect(fusesThatAre(FuseState.DISABLE)).toHaveLength(5);

  const archive = join(program, 'resources', 'app.asar');
  const files = listPackage(archive, { isPack: false });
  const top = files.map((file) => file.split('/')[1]);
  expect(new Set(top)).toEqual(new Set(['LICENSE', 'out', 'package.json']));
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const { main } = JSON.parse(extractFile(archive, 'package.json').toString());
  const needed = [`/${main}`, '/out/electron/preload.cjs', '/out/renderer/index.html'];
  expect(files).toEqual(expect.arrayContaining(needed));
});

/** Replaces Electron: reports that another instance is running, and prints how the program identifies itself. Other exports do nothing. */
const SECOND_INSTANCE = `
  import { readFileSync } from 'node:fs';
  const nothing = () => new Proxy(function () {}, {
    get: (_, name) => (name === 'then' ? undefined : nothing()), apply: nothing, construct: nothing,
  });
  const quit = () => { console.log('quit'); process.exit(0); };
  const print = (name) => (...values) => console.log(name, ...values);
  const requestSingleInstanceLock = () => {
    console.log('owner', JSON.parse(readFileSync(process.env.PARLEY_DATA_DIR + '/instance.json')).program);
    return false;
  };
  const ours = { requestSingleInstanceLock, quit, setName: print('setName'), setPath: print('setPath') };
  export const app = new Proxy(ours, { get: (_, name) => ours[name] ?? nothing() });
`;

/** Returns the names that a built file imports from a module, as the module exports them. */
const namesFrom = (built: string, module: string) =>
  Array.from(built.matchAll(new RegExp(`^import \\{([^}]*)\\} from "${module}"`, 'gm'))).flatMap(
    ([, names = '']) => names.split(',').map((name) => name.trim().split(' as ')[0] ?? ''),
  );

test('the packaged program starts with Electron and Node only, under its own name and version, in a data folder with an absolute path', async () => {
  // Characters of a path that mean something else in a URL.
  const alone = join(folder, 'C: alone #1 at 100%');
  const electron = join(alone, 'node_modules', 'electron');
  fs.mkdirSync(electron, { recursive: true });
  const built = join(ROOT, 'out', 'electron');
  const programs = fs.readdirSync(built).filter((name) => name.endsWith('.js'));
  for (const name of [...programs, 'node-sqlite3-wasm.wasm'])
    fs.copyFileSync(join(built, name), join(alone, name));
  const all = programs.map((name) => fs.readFileSync(join(built, name), 'utf8')).join('\n');
  const others = [...new Set(namesFrom(all, 'electron'))].filter((name) => name !== 'app');
  const exported = others.map((name) => `export const ${name} = nothing();`).join('\n');
  fs.writeFileSync(join(electron, 'index.mjs'), `${SECOND_INSTANCE}${exported}`);
  fs.writeFileSync(join(electron, 'package.json'), '{"name":"electron","exports":"./index.mjs"}');
  fs.writeFileSync(join(alone, 'package.json'), '{"type":"module"}');

  const data = join(alone, 'data');
  const env = { HOME: alone, PARLEY_DATA_DIR: relative(ROOT, data) };
  const started = await runProgram(join(alone, basename(jsonOf('package.json').main)), [], env).ended;
  const stdout = `setName Parley\nsetPath userData ${data}\nowner electron\nquit\n`;
  expect(started).toMatchObject({ code: 0, stdout });
  expect(started.stderr).toContain('the platform listens');
  // With it, a program that starts from a file has Electron's version.
  expect(all).not.toMatch(/^[^*\n]*\bapp\.getVersion/mu);
});

test('contract §1 help, bad usage: exits with 2 for a missing runtime or an unknown option, and with 0 for --help', async () => {
  const nowhere = join(folder, 'nowhere');
  const stderr = `dist: ${nowhere}: there is no such folder\n`;
  expect(await dist('--linux', '--runtime', nowhere)).toEqual({ code: 2, stdout: '', stderr });
  expect(await dist('--nope')).toMatchObject({ code: 2, stdout: '' });
  expect(await dist('--help')).toMatchObject({ code: 0, stderr: '' });
});

test('each icon has the size in its file name, from 16 to 1024 pixels', () => {
  const icons = join(ROOT, 'src', 'assets', 'icons');
  const sizes = fs.readdirSync(icons).map((name) => {
    const png = fs.readFileSync(join(icons, name));
    expect(`${png.readUInt32BE(16)}.png ${png.readUInt32BE(20)}.png`).toBe(`${name} ${name}`);
    return png.readUInt32BE(16);
  });
  expect(sizes).toEqual(expect.arrayContaining([16, 32, 48, 64, 128, 256, 512, 1024]));
});
