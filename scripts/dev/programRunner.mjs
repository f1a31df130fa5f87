import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createBuilder } from 'vite';

/** Runs a program and restarts it. Passes its output on, except for the ready line. */
export class ProgramRunner {
  #command;
  #ready;
  #env;
  #onReady;
  #child;
  #restarting = Promise.resolve();
  #isClosed = false;

  /**
   * @param {{ command: string[], ready: RegExp, env: Record<string, string> }} program
   * @param {(invitation: string) => void} onReady called at each start with the address that the program prints
   */
  constructor({ command, ready, env }, onReady) {
    this.#command = command;
    this.#ready = ready;
    this.#env = env;
    this.#onReady = onReady;
  }

  #start() {
    if (this.#isClosed) return;
    const child = spawn(process.execPath, this.#command, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...this.#env },
    });
    this.#child = child;
    child.once('exit', (status) => {
      if (this.#child === child)
        process.stderr.write(`The program ended (${status}); a change of its source starts it again.\n`);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, invitation] = this.#ready.exec(line) ?? [];
      if (invitation === undefined) process.stdout.write(`${line}\n`);
      else this.#onReady(invitation);
    });
  }

  /** Starts or restarts the program. A restart waits for its end, because the next one needs its port and data folder. */
  restart() {
    const previous = this.#restarting;
    this.#restarting = (async () => {
      await previous;
      await this.#stop();
      this.#start();
    })();
    return this.#restarting;
  }

  /** Ends the program for good. The signal is sent before this returns, so that it works in an `exit` listener. */
  close() {
    this.#isClosed = true;
    return this.#stop();
  }

  async #stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/**
 * Builds some environments of `vite.config.ts`, and again at each change of their sources.
 *
 * @param {string[]} names
 * @param {() => void} onRebuilt called after each later build that succeeded
 * @returns when all are built once; `close` ends the watching.
 */
export async function watchBuilds(names, onRebuilt) {
  // Two environments share a folder, so that neither may empty it.
  const build = { watch: {}, emptyOutDir: false };
  const builder = await createBuilder({
    configFile: resolve(import.meta.dirname, '../../vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    environments: Object.fromEntries(names.map((name) => [name, { build }])),
  });
  const watchers = [];
  for (const name of names) {
    const watcher = await builder.build(builder.environments[name]);
    watchers.push(watcher);
    await followBuilds(watcher, onRebuilt);
  }
  return { close: () => Promise.all(watchers.map((watcher) => watcher.close())) };
}

/** Resolves after the first build. @throws {Error} the first build's; errors of later ones are printed. */
function followBuilds(watcher, onRebuilt) {
  let isBuilt = false;
  return new Promise((resolveBuild, reject) => {
    watcher.on('event', ({ code, error }) => {
      if (code === 'ERROR' && isBuilt) process.stderr.write(`${error.message}\n`);
      if (code === 'ERROR') reject(error);
      if (code !== 'END') return;
      if (isBuilt) onRebuilt();
      isBuilt = true;
      resolveBuild();
    });
  });
}

const at = (path) => resolve(import.meta.dirname, '../..', path);

/**
 * What can be run for development.
 *
 * - `root`: the page's sources, which contain `index.tsx`.
 * - `environments`: the builds of `vite.config.ts` that the program consists of.
 * - `at`: the program's arguments for Node and its settings, for a port.
 * - `ready`: matches the line that the program prints when it listens; its first group is the address.
 * - `proxied`: the paths that the program answers; the page's server answers all others.
 * - `built`: matches the tags of the built script and styles in the document.
 */
export const targets = {
  messenger: {
    mostArguments: 0,
    start: () => ({
      title: 'Parley',
      root: at('src/renderer'),
      environments: ['start', 'webPreload'],
      at: (port) => ({
        command: [at('out/start/start.js')],
        env: { PARLEY_PORT: `${port}`, PARLEY_HOST: 'web', PARLEY_OPEN: '0' },
      }),
      ready: /^Parley is ready at (\S+)$/m,
      proxied: ['^/-/', '^/blob/', '^/inspector/', '^/assets/parley-'],
      built: [/<script type="module"[^>]*><\/script>/, /<link rel="stylesheet"[^>]*>/],
    }),
  },
  inspector: {
    mostArguments: 1,
    start: (captures) => ({
      title: 'The inspector',
      root: at('tools/replay/inspector'),
      environments: ['replay', 'inspectorWorker'],
      at: (port) => ({
        command: [at('out/replay/cli.js'), 'open', ...captures, '--no-open', '--port', `${port}`],
        env: {},
      }),
      ready: /(http:\/\/127\.0\.0\.1:\d+\/\S*)/m,
      proxied: ['^/capture$', '^/make-test$', '^/worker.js$'],
      built: [/<script src="inspector.js"><\/script>/, /<link rel="stylesheet"[^>]*>/],
    }),
  },
};
