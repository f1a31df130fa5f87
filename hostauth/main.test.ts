import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { Server, type Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { ConfigError, settingsHelp } from './base/config.ts';

const { said, say, ends, user } = vi.hoisted(() => {
  const words: string[] = [];
  const isRoot = process.getuid?.() === 0;
  return {
    /** What a program does, in order. */
    said: words,
    say(...given: readonly unknown[]): void {
      const texts = given.map((one) =>
        // Of the settings, two.
        JSON.stringify(one, (name, value) => (name === 'config' ? [value.pamService, value.users] : value)),
      );
      words.push(texts.map((text, at) => (typeof given[at] === 'string' ? given[at] : text)).join(' '));
    },
    /** What is called when it has started. */
    ends: new Array<() => unknown>(),
    /** The user of the socket: only root can give a file away. */
    user: isRoot ? { uid: 65_534, gid: 65_533 } : { uid: process.getuid?.(), gid: process.getgid?.() },
  };
});

vi.mock('./base/privileges.ts', () => ({
  closeInheritedFiles: (fd?: number) => say('closes files except', fd ?? 'none'),
  forbidCoreFiles: () => say('forbids core files'),
  dropPrivileges: () => say('drops its rights'),
  unprivilegedUser: () => user,
}));
vi.mock('./base/notifySystemd.ts', () => ({
  notifySystemd: (env: unknown) => say('notifies systemd', env === process.env),
}));
vi.mock('./base/endWithGrace.ts', () => ({
  endWithGrace: (_: unknown, end: () => unknown) => ends.push(end),
}));
vi.mock('./base/logger.ts', () => {
  const logger = { warn: say, error: say };
  return { createLogger: () => ({ logger, flush: () => say('flushes') }) };
});
vi.mock('./base/stderrWriter.ts', () => ({ createHelperLog: () => say }));
vi.mock('./helper/accounts/localAccounts.ts', () => ({
  loadProofKey: (folder: string) => (say('loads the key of', folder), Buffer.alloc(9)),
}));
vi.mock('./helper/pam/pamBinding.ts', () => ({
  checkPam: (service: string) => (service === 'none' ? 'there is no service none' : undefined),
}));
vi.mock('./helper/helper.ts', () => ({
  createHostHelper(given: object) {
    const { key, log, ...options } = Object(given);
    say('creates the helper with a key of', key.length, options);
    log('warn', 'the helper logs', { field: 1 });
    return { close: async () => say('closes the helper') };
  },
}));
vi.mock('./link/serveHelper.ts', () => ({
  serveHelper(socket: Socket, helper: object, onClose: (detail: string) => void) {
    onClose(`its helper has ${Object.keys(helper).join()}`);
    socket.destroy();
  },
}));
vi.mock('./httpProcess.ts', () => ({
  startHttpProcess(given: object) {
    const { path, env, isRoot, helper, onReady, onFailed } = Object(given);
    say('starts', path, env === process.env, isRoot, Object.keys(helper));
    onReady();
    ends.push(() => onFailed(3));
    return { stop: async () => say('stops the HTTP process') };
  },
}));
vi.mock('./link/helperClient.ts', () => ({
  createHelperClient({ connect, onLost }: { connect: () => object; onLost: (detail: string) => void }) {
    ends.push(() => onLost('cut'));
    return { connected: connect() };
  },
}));
vi.mock('./http/startServer.ts', () => {
  class ListenError extends Error {}
  const errors = [new ListenError('the port is taken'), new ConfigError('no PEM file'), new Error('a fault')];
  const startServer = async (given: object) => {
    const { config, helper, beforeListen } = Object(given);
    await once((await helper.connected).resume(), 'close');
    beforeListen();
    if (errors[config.port] !== undefined) throw errors[config.port];
    return { url: 'http://127.0.0.1:4320', close: async () => say('closes the server', { config }) };
  };
  return { ListenError, startServer };
});

test('each program checks its settings, starts its parts in this order, is ready, and ends them; or says in one line what is wrong', async () => {
  const umask = process.umask();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] });
  const folder = mainFolder();
  // A killed helper leaves its socket.
  writeFileSync(join(folder, 'helper.sock'), '');
  const other = createServer().listen(join(folder, 'used.sock'));
  onTestFinished(() => {
    other.close();
    process.umask(umask);
    vi.useRealTimers().unstubAllEnvs().restoreAllMocks();
  });
  await once(other, 'listening');
  const listeners = new Map<unknown, () => void>();
  vi.spyOn(process, 'exit').mockImplementation((status) => {
    say(`exit ${status}`);
    throw new Error(`exit ${status}`);
  });
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners.set(event, listener);
    return process;
  });
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => (say(String(text).trimEnd()), true));
  const { contexts } = vi.spyOn(Server.prototype, 'listen').mock;
  const endHelper = async () => {
    const { mode, uid } = statSync(join(folder, 'helper.sock'));
    say(`its socket: ${(mode & 0o777).toString(8)},`, uid === user.uid, process.umask());
    say(`for ${Object(contexts.at(-1)).maxConnections}`);
    for (const signal of ['SIGTERM', 'SIGINT']) listeners.get(signal)?.();
    await expect(vi.advanceTimersByTimeAsync(0)).rejects.toThrow('exit 0');
    vi.advanceTimersByTime(29_999);
    expect(() => vi.advanceTimersByTime(1)).toThrow('exit 1');
    say(Object(contexts.at(-1)).listening);
  };
  let runs = 0;
  const path = join(import.meta.dirname, 'testing/programs.txt');
  const table = await tableOf(path, async (line) => {
    const words = line.replaceAll('FOLDER', folder).split(' ');
    const begin = words.findIndex((word) => !word.includes('='));
    const argv = ['node', ...words.slice(begin)];
    vi.spyOn(process, 'argv', 'get').mockReturnValue(argv);
    for (const [name = '', value = ''] of words.slice(0, begin).map((word) => word.split('=')))
      vi.stubEnv(name, value);
    vi.spyOn(process, 'getuid').mockReturnValue(Number(process.env['NOT_ROOT'] ?? 0));
    const program = `./${argv[1]}/main.ts?${(runs += 1)}`.replace('hostauth/', '');
    if (line.startsWith('kill')) await endHelper();
    else
      await import(/* @vite-ignore */ program).catch(({ message }: Error) => {
        if (message !== said.at(-1)) say(message.replace(/: [A-Z]+$/, ''));
      });
    for (const end of ends.splice(0)) await Promise.allSettled([Promise.resolve().then(end)]);
    listeners.get('exit')?.();
    listeners.delete('exit');
    vi.unstubAllEnvs();
    const text = said.splice(0).join(', ').replace(settingsHelp(), 'the settings');
    return text.replaceAll(folder, 'FOLDER').replaceAll(import.meta.dirname, '.');
  });
  await expect(table).toMatchFileSnapshot(path);
});
