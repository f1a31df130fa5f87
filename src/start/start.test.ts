import { EventEmitter } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { tableOf } from '#tests/builders/tableOf.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import type * as electronHost from './electronHost.ts';
import type * as builtIn from './startBuiltIn.ts';

/** What the programs have done, one a line. `RUNTIME` is Electron's executable, and `PORTS=taken` takes every port. */
const done = vi.hoisted((): string[] => []);

vi.mock('electron', () => ({
  dialog: { showErrorBox: (...texts: string[]) => void done.push(`dialog: ${texts.join(': ')}`) },
}));
vi.mock('./electronHost.ts', () => ({
  electronRuntime: () => process.env.RUNTIME,
  canStart: (executable: string) => executable === 'works',
  runElectron: (executable: string) => void done.push(`runs Electron: ${executable}`),
}));
vi.mock('./startBuiltIn.ts', async (original) => ({
  ...(await original<typeof builtIn>()),
  importMain: async () => void done.push('runs main'),
}));
vi.mock('#node/createLogger.ts', () => ({ createLogger: () => ({}) }));
vi.mock('#platform/startPlatform.ts', () => {
  class ListenError extends Error {}
  const startPlatform = async (options: Record<string, unknown>) => {
    if (process.env.PORTS === 'taken') throw new ListenError('ports 4311 to 4410 are taken');
    done.push(
      `starts the platform: ${JSON.stringify({ ...options, logger: undefined, ownerSecret: undefined })}`,
    );
    vi.stubEnv('SECRET', String(options.ownerSecret));
    return { apiUrl: 'http://127.0.0.1:4311', platformUrl: 'ws://127.0.0.1:4311' };
  };
  return { ListenError, PLATFORM_FILE: 'platform.sqlite', startPlatform };
});

afterEach(() => void vi.unstubAllEnvs().restoreAllMocks());

const BUILT_IN = ['API_URL', 'PLATFORM_URL', 'SECRET'].map((name) => `PARLEY_BUILT_IN_${name}`);

test('contract §1 help, contract §2 bad values: starts the built-in platform and the host that the settings select, or says in one line why it cannot', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((status) => {
    done.push(`exit ${status}`);
    throw new Error('exit');
  });
  vi.spyOn(process, 'on').mockReturnThis();
  const began = (await readFile('/proc/1/stat', 'utf8')).split(' ').at(-31);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => done.push(String(text).trimEnd()) > 0);
  let runs = 0;
  // Each line has the variables and the option of a program, and its name.
  const path = join(import.meta.dirname, 'testing/starts.txt');
  const table = await tableOf(path, async (line) => {
    const folder = mainFolder();
    await writeFile(join(folder, 'file'), '');
    // Another program has this folder.
    await mkdir(join(folder, 'held'), { mode: 0o700 });
    const holder = { pid: 1, began, secret: '', port: null, program: 'web' };
    await writeFile(join(folder, 'held', 'instance.json'), JSON.stringify(holder));
    for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', ...BUILT_IN]) vi.stubEnv(name, undefined);
    vi.stubEnv('PARLEY_DATA_DIR', folder);
    const [program = '', ...words] = line.replace('FOLDER', folder).split(' ').toReversed();
    const options = words.filter((word) => word.startsWith('-'));
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'start', ...options]);
    for (const [, name = '', value = ''] of words.flatMap((word) => [/^(\w+)=(.*)/.exec(word) ?? []]))
      vi.stubEnv(name, value);
    await import(/* @vite-ignore */ `./${program}.ts?${(runs += 1)}`).catch((error: unknown) => {
      if (exit.mock.calls.length === 0) throw error;
    });
    const [apiUrl, platformUrl, secret] = BUILT_IN.map((name) => process.env[name]);
    if (apiUrl !== undefined)
      done.push(`addresses: ${apiUrl} ${platformUrl}, secret ${secret === process.env.SECRET}`);
    if (process.env.PARLEY_ASSISTANT_KEY !== undefined) done.push('the key is in the environment');
    vi.unstubAllEnvs();
    return done.splice(0).join('\n').replaceAll(folder, 'FOLDER');
  });
  await expect(table).toMatchFileSnapshot(path);
});

test('Electron runs in a group of its own and gets the signals of the program, which ends with its status, or 1, and says when it cannot be started', async () => {
  const [signals, spawn, kill] = [new EventEmitter(), vi.fn<() => EventEmitter>(), vi.fn<() => void>()];
  const spawnSync = vi.fn<() => object>(() => ({ status: 1 })).mockReturnValueOnce({ status: 0 });
  let missing = 'none';
  const existsSync = (path: string) => !path.endsWith(missing);
  vi.doMock('node:child_process', () => ({ spawn, spawnSync }));
  vi.doMock('node:fs', () => ({ existsSync, readFileSync: () => 'electron' }));
  const host = await vi.importActual<typeof electronHost>('./electronHost.ts');
  for (const module of ['node:child_process', 'node:fs']) vi.doUnmock(module);
  const { runElectron, canStart, electronRuntime } = host;
  expect([canStart('electron'), canStart('electron')]).toEqual([true, false]);
  const runtimes = ['none', 'path.txt', 'dist/electron'].map((name) => ((missing = name), electronRuntime()));
  const executable = resolve('packaging/node_modules/electron/dist/electron');
  expect(runtimes).toEqual([executable, undefined, undefined]);
  const exit = vi.spyOn(process, 'exit').mockThrow(new Error('exit'));
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process, 'on').mockImplementation((name, listener) => (signals.on(name, listener), process));
  for (const result of [3, null, Object.assign(new Error('no'), { code: 'EACCES' })]) {
    const child = Object.assign(new EventEmitter(), { kill });
    spawn.mockReturnValueOnce(child);
    runElectron('electron');
    expect(() => child.emit(result instanceof Error ? 'error' : 'exit', result)).toThrow('exit');
  }
  expect(exit.mock.calls).toEqual([[3], [1], [1]]);
  expect(write.mock.calls.join('')).toContain('Electron cannot be started (EACCES): run ');
  const main = expect.stringMatching(/electron\/main\.js$/);
  expect(spawn.mock.calls[0]).toEqual(['electron', [main], { stdio: 'inherit', detached: true }]);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.emit(name);
  expect(kill.mock.calls.slice(0, 4)).toEqual([['SIGINT'], ['SIGINT'], ['SIGINT'], ['SIGTERM']]);
});
