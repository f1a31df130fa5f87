import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext } from 'vitest';
import { spawnProgram } from '#platform/testing/spawnProgram.ts';

const START = resolve(import.meta.dirname, '../../../out/start/start.js');
const WEB_HOST = { PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0' };

/** A program of this repository that serves an address. */
export type ServingProgram = Awaited<ReturnType<typeof startProgram>>;

/** Starts a built program; resolves when it has printed its ready line. */
export async function startProgram(argv: readonly string[], env: NodeJS.ProcessEnv = {}, node?: string) {
  const { child, printed, firstLine } = spawnProgram(argv, env, node);
  const ended = once(child, 'exit');
  return {
    url: (await firstLine).replace(/^.* at /, ''),
    process: child,
    printed,
    /** Ends it by SIGTERM; resolves to its exit code. */
    async stop() {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The messenger as `npm start` runs it in the web host, in a separate process. */
export type RunningParley = Awaited<ReturnType<typeof startParley>>;

interface Options {
  /** By default a temporary folder, which `stop` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Node's executable; by default the one that runs the tests. */
  readonly node?: string;
  readonly program?: string;
}

/** Starts the messenger and waits for its ready line, whose address has an unused token. */
export async function startParley({ dataDir, env = {}, node, program = START }: Options = {}) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'parley-'));
  const started = await startProgram([program], { ...WEB_HOST, PARLEY_DATA_DIR: folder, ...env }, node);
  return {
    ...started,
    dataDir: folder,
    async stop() {
      const code = await started.stop();
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** Starts the messenger for one test and stops it after the test, also when the test times out before it is ready. */
export async function startParleyFor({ onTestFinished, signal }: TestContext, options: Options) {
  signal.throwIfAborted();
  const starting = startParley(options);
  onTestFinished(async () => {
    const parley = await starting.catch(() => undefined);
    await parley?.stop();
  });
  return starting;
}
