import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext } from 'vitest';

const START = resolve(import.meta.dirname, '../../../out/start/start.js');
const WEB_HOST = { PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0' };
const READY = /^Parley is ready at (?<url>http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)$/m;

/** The messenger as `npm start` runs it in the web host, in a separate process. */
export type RunningParley = Awaited<ReturnType<typeof startParley>>;

interface Options {
  /** By default a temporary folder, which `stop` removes. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Node's executable; by default the one that runs the tests. */
  readonly node?: string;
  /** The path of `start.js`. */
  readonly program?: string;
}

/** Starts the messenger and waits for its ready line. */
export async function startParley({
  dataDir,
  env = {},
  node = process.execPath,
  program = START,
}: Options = {}) {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'parley-'));
  const child = spawn(node, [program], {
    env: { ...process.env, ...WEB_HOST, PARLEY_DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (printed.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (printed.stderr += text.toString()));
  const url = await new Promise<string>((resolveUrl, reject) => {
    child.stdout.on('data', () => {
      const ready = READY.exec(printed.stdout)?.groups?.url;
      if (ready !== undefined) resolveUrl(ready);
    });
    child.once('exit', () => reject(new Error(`it ended before it was ready:\n${printed.stderr}`)));
  });
  return {
    /** The address in the ready line, with an unused token. */
    url,
    dataDir: folder,
    process: child,
    /** Its output so far. */
    printed,
    /** Ends it by SIGTERM; resolves to its exit code. */
    async stop() {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill('SIGTERM');
      await ended;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
      return child.exitCode;
    },
    /** Ends it by SIGKILL. */
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Starts the messenger for one test and stops it after the test, also when the test times out before it is ready. */
export async function startParleyFor(
  { onTestFinished, signal }: TestContext,
  options: Parameters<typeof startParley>[0],
): Promise<RunningParley> {
  signal.throwIfAborted();
  const starting = startParley(options);
  onTestFinished(async () => {
    const parley = await starting.catch(() => undefined);
    await parley?.stop();
  });
  return starting;
}

/** Creates an empty folder for one test; removes it after the test. */
export function folderFor({ onTestFinished }: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
