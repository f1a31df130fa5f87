import { rmSync } from 'node:fs';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tableOf } from '#tests/builders/tableOf.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';

/** What the program writes, and the options with which it starts the platform. */
const said = vi.hoisted((): string[] => []);

vi.mock('#node/createLogger.ts', () => ({
  createLogger: () => ({
    log: { error: (text: string) => said.push(`logs that ${text}`) },
    flush: () => said.push('flushes the log'),
  }),
}));
vi.mock('./startPlatform.ts', () => {
  class ListenError extends Error {}
  const startPlatform = async (options: Record<string, unknown>) => {
    const shown = JSON.stringify({ ...options, logger: undefined, clock: undefined, ownerSecret: undefined });
    said.push(`starts with ${shown}, a secret of ${String(options.ownerSecret).length} characters`);
    if (options.port !== 4319) throw new ListenError('port 4311 is taken');
    const close = async () => {
      said.push(`closes, with ${vi.getTimerCount()} timer, and ends after 1.8 s at the latest`);
      vi.advanceTimersByTime(1799);
      expect(() => vi.advanceTimersByTime(1)).toThrow('exit 0');
    };
    return { apiUrl: 'http://127.0.0.1:4319', close };
  };
  return { ListenError, PLATFORM_FILE: 'platform.sqlite', startPlatform };
});

test('contract §1 help, contract §1 bad usage: starts the platform with the settings of the command line, else of the environment, or says in one line what is wrong; runs the other commands', async () => {
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const listeners = new Map<unknown, (signal: string) => void>();
  vi.spyOn(process, 'exit').mockImplementation((status) => {
    throw new Error(`exit ${status}`);
  });
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners.set(event, listener);
    return process;
  });
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      said.push(String(text).trimEnd());
      if (String(text).includes('is ready')) end();
      return true;
    });
  const folder = mainFolder();
  const signals = ['SIGTERM', 'SIGINT'];
  const end = () => {
    if (signals.length === 2) rmSync(join(folder, 'instance.json'));
    vi.advanceTimersByTime(1000);
    listeners.get(signals[0])?.(String(signals.shift()));
  };
  for (const [name, text, mode] of [
    ['key', 'sk-from-file\n', 0o600],
    ['group', 'sk-1', 0o640],
    ['others', 'sk-1', 0o604],
    ['words', 'sk-secret in two words', 0o600],
    ['empty', '', 0o600],
  ] as const) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), mode);
  }
  let runs = 0;
  // Each line is a command line after its variables.
  const path = join(import.meta.dirname, 'testing/runs.txt');
  const table = await tableOf(path, async (line) => {
    const found = line.replaceAll('FOLDER', folder).matchAll(/(?:[^\s"]|"[^"]*")+/g);
    const words = [...found].map(([word]) => word.replaceAll('"', ''));
    const begin = words.indexOf('platform');
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', ...words.slice(begin)]);
    vi.stubEnv('PARLEY_DATA_DIR', folder);
    for (const [, name = '', value = ''] of words
      .slice(0, begin)
      .flatMap((word) => [/(\w+)=([^]*)/.exec(word) ?? []]))
      vi.stubEnv(name, value);
    const program = `./main.ts?${(runs += 1)}`;
    await import(/* @vite-ignore */ program);
    vi.unstubAllEnvs();
    return [...said.splice(0), `exit ${process.exitCode}`].join('\n').replaceAll(folder, 'FOLDER');
  });
  await expect(table).toMatchFileSnapshot(path);
  expect(await readdir(folder)).not.toContain('unused');
});
