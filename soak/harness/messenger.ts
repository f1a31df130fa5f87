import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Soak } from '../run/scenario.ts';
import { type Ended, followChild } from './children.ts';
import { dataFolder } from './dataFolder.ts';
import { type Inspector, type SettledMemory, connectInspector } from './debugger.ts';
import { processMemory } from './processMemory.ts';
import { ROOT } from './root.ts';

const READY = /^Parley is ready at (?<url>http:\/\/127\.0\.0\.1:\d+\/\S+)$/m;
const DEBUGGER = /^Debugger listening on (?<url>ws:\/\/\S+)$/m;
const START_SECONDS = 30;
/** That much of what a process prints is kept, in characters. */
const KEPT = 256 * 1024;

export interface MessengerOptions {
  /** Left out: a fresh one. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules of `soak/hooks` that are loaded before the program. */
  readonly hooks?: readonly string[];
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** The scenario makes it end by itself. */
  readonly mayEnd?: boolean;
  /** A file descriptor that takes its stderr; left out, it is read. */
  readonly stderr?: number;
}

/** The messenger as `npm start` runs it, in the web host, in a process of its own. */
export interface Messenger {
  /** The address of the ready line, its token unspent. */
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** The end of what it has printed so far. */
  readonly printed: { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Ended>;
  isRunning(): boolean;
  /** What is in its log file. */
  log(): string;
  /** Evaluates an expression in the process. */
  evaluate(expression: string): Promise<unknown>;
  /** What is in use after a garbage collection. */
  settledMemory(): Promise<SettledMemory>;
  memory(): { readonly resident: number; readonly peak: number };
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Ends it by SIGTERM, as a person would; gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts the messenger and waits for its ready line; it is ended with the scenario. */
export async function startMessenger(
  soak: Pick<Soak, 'programs' | 'defer' | 'check'>,
  options: MessengerOptions = {},
): Promise<Messenger> {
  const { dataDir = dataFolder(soak) } = options;
  const child = spawnMessenger(soak, { ...options, dataDir });
  const ended = followChild(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text: Buffer) => (printed.stdout = (printed.stdout + text).slice(-KEPT)));
  child.stderr?.on('data', (text: Buffer) => (printed.stderr = (printed.stderr + text).slice(-KEPT)));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let { mayEnd = false } = options;
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    mayEnd = true;
    child.kill(signal);
    return (await ended).code;
  };
  soak.defer(async () => {
    const isGone = !isRunning() && !mayEnd;
    if (isGone) soak.check('the messenger runs until it is ended', false, printed.stderr.slice(-400));
    await end('SIGKILL');
  });
  const url = await readyUrl(child, printed);
  const debuggerUrl = DEBUGGER.exec(printed.stderr)?.groups?.url ?? '';
  const pid = child.pid ?? 0;
  return {
    url,
    dataDir,
    pid,
    printed,
    ended,
    isRunning,
    log: () => textOf(join(dataDir, 'logs', 'parley.log')),
    evaluate: (expression) => withInspector(debuggerUrl, ({ evaluate }) => evaluate(expression)),
    settledMemory: () => withInspector(debuggerUrl, ({ settledMemory }) => settledMemory()),
    memory: () => processMemory(pid),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
}

/** Starts the program and waits for nothing. */
export function spawnMessenger(
  { programs }: Pick<Soak, 'programs'>,
  { dataDir, env = {}, hooks = [], nodeOptions = [], stderr }: MessengerOptions,
): ChildProcess {
  const imports = hooks.map((hook) => `--import=${join(ROOT, 'soak', 'hooks', `${hook}.mjs`)}`);
  // The debugger says on stderr where it listens.
  const inspect = stderr === undefined ? ['--inspect=127.0.0.1:0'] : [];
  return spawn(
    process.execPath,
    [...inspect, ...imports, ...nodeOptions, join(programs, 'start', 'start.js')],
    {
      env: environmentOf({ ...(dataDir === undefined ? {} : { PARLEY_DATA_DIR: dataDir }), ...env }),
      stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
    },
  );
}

/** The environment of a messenger in the web host, on any free port, that opens no browser. */
export const environmentOf = (env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv => ({
  ...process.env,
  // As the script `start` of package.json sets it.
  MALLOC_MMAP_THRESHOLD_: '65536',
  NODE_OPTIONS: '',
  PARLEY_HOST: 'web',
  PARLEY_PORT: '0',
  PARLEY_OPEN: '0',
  ...env,
});

/** Uses the process's debugger for a moment: a process that ends would wait for one that stays. */
async function withInspector<T>(url: string, use: (inspector: Inspector) => Promise<T>): Promise<T> {
  const inspector = await connectInspector(url);
  try {
    return await use(inspector);
  } finally {
    inspector.close();
  }
}

/** Resolves to the ready line's address; rejects when the process ends before, or takes too long. */
const readyUrl = (child: ChildProcess, printed: { stdout: string; stderr: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(new Error(`the messenger ${what} before it was ready: ${printed.stderr.slice(-500)}`));
    const timer = setTimeout(() => fail(`took ${START_SECONDS} s`), START_SECONDS * 1000);
    child.stdout?.on('data', () => {
      const url = READY.exec(printed.stdout)?.groups?.url;
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ended');
    });
  });

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
