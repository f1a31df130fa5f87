import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { type ScriptedPlatform, platformEnvironment, startPlatform } from '#tests/builders/startPlatform.ts';
import type { Soak } from '../run/scenario.ts';
import { withDebugger } from './connectDebugger.ts';
import { readProcessMemory, readText } from './memory.ts';

const READY = /^Parley is ready at (?<url>http:\/\/127\.0\.0\.1:\d+\/\S+)$/m;
const DEBUGGER = /^Debugger listening on (?<url>ws:\/\/\S+)$/m;
const START_SECONDS = 30;
/** How much of a process's output is kept, in characters. */
const OUTPUT_LENGTH = 256 * 1024;

interface MessengerOptions {
  /** By default a new one. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules of `soak/hooks` to load before the program. */
  readonly hooks?: readonly string[];
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** Whether the process may end by itself. */
  readonly mayEnd?: boolean;
  /** A file descriptor for its stderr. By default stderr is read. */
  readonly stderr?: number;
}

/** A messenger process in the web host, as `npm start` runs it. */
export type Messenger = Awaited<ReturnType<typeof startMessenger>>;

/** Starts the messenger and waits for its ready line. Ends it after the scenario. */
export async function startMessenger(
  soak: Pick<Soak, 'programs' | 'defer' | 'check'>,
  options: MessengerOptions = {},
) {
  const { dataDir = createDataFolder(soak) } = options;
  const child = spawnMessenger(soak, { ...options, dataDir });
  const ended = followChild(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout?.on(
    'data',
    (text: Buffer) => (printed.stdout = (printed.stdout + text).slice(-OUTPUT_LENGTH)),
  );
  child.stderr?.on(
    'data',
    (text: Buffer) => (printed.stderr = (printed.stderr + text).slice(-OUTPUT_LENGTH)),
  );
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  let { mayEnd = false } = options;
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    mayEnd = true;
    child.kill(signal);
    return (await ended).code;
  };
  soak.defer(async () => {
    const hasEndedEarly = !isRunning() && !mayEnd;
    if (hasEndedEarly) soak.check('the messenger runs until it is ended', false, printed.stderr.slice(-400));
    await end('SIGKILL');
  });
  const url = await waitForUrl(child, printed);
  const debuggerUrl = DEBUGGER.exec(printed.stderr)?.groups?.url ?? '';
  const pid = child.pid ?? 0;
  return {
    /** The address of the ready line, with the unused token. */
    url,
    dataDir,
    pid,
    /** The end of its output so far. */
    printed,
    ended,
    isRunning,
    log: () => readText(join(dataDir, 'logs', 'parley.log')),
    evaluate: (expression: string) => withDebugger(debuggerUrl, ({ evaluate }) => evaluate(expression)),
    /** Measures memory after garbage collections. */
    settledMemory: () => withDebugger(debuggerUrl, ({ settledMemory }) => settledMemory()),
    memory: () => readProcessMemory(pid),
    kill: () => end('SIGKILL'),
    /** Ends it with SIGTERM. Returns its exit status. */
    stop: () => end('SIGTERM'),
  };
}

/** Starts the program and does not wait for it. */
export function spawnMessenger(
  { programs }: Pick<Soak, 'programs'>,
  { dataDir, env = {}, hooks = [], nodeOptions = [], stderr }: MessengerOptions,
): ChildProcess {
  const imports = hooks.map((hook) => `--import=${join(ROOT, 'soak', 'hooks', `${hook}.mjs`)}`);
  // The debugger prints its address on stderr.
  const inspect = stderr === undefined ? ['--inspect=127.0.0.1:0'] : [];
  return spawn(
    process.execPath,
    [...inspect, ...imports, ...nodeOptions, join(programs, 'start', 'start.js')],
    {
      env: messengerEnvironment({ ...(dataDir === undefined ? {} : { PARLEY_DATA_DIR: dataDir }), ...env }),
      stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
    },
  );
}

/** Returns the environment of a messenger in the web host, on any free port, that opens no browser. */
export const messengerEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): NodeJS.ProcessEnv => ({
  ...process.env,
  // Set as in the script `start` of package.json.
  MALLOC_MMAP_THRESHOLD_: '16384',
  NODE_OPTIONS: '',
  PARLEY_HOST: 'web',
  PARLEY_PORT: '0',
  PARLEY_OPEN: '0',
  ...env,
});

/** Resolves to the address of the ready line. Rejects when the process ends before it or takes too long. */
const waitForUrl = (child: ChildProcess, printed: { stdout: string; stderr: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (problem: string) =>
      reject(new Error(`the messenger ${problem} before it was ready: ${printed.stderr.slice(-500)}`));
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

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The exit status of a process, or the signal that ended it. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Resolves when a child process ends. Kills it when this process ends before it. */
export function followChild(child: ChildProcess): Promise<Ended> {
  running.add(child);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
}

/** Starts a built program that prints its address, with these arguments. Ends it after the scenario. */
export async function startPrinting(
  soak: Soak,
  { argv, address, env = {} }: { argv: readonly string[]; address: RegExp; env?: NodeJS.ProcessEnv },
) {
  const [program = '', ...args] = argv;
  const child = spawn(process.execPath, [join(soak.programs, program), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...env },
  });
  const ended = followChild(child);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  soak.defer(kill);
  let printed = '';
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  const find = () => address.exec(printed)?.groups?.url;
  return { url: await soak.waitFor(`${program} starts within 20 s`, 20, find), kill };
}

/** Creates a data folder for a scenario; removes it after the scenario. */
export function createDataFolder(soak: Pick<Soak, 'defer'>): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-soak-'));
  soak.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** The account of `signIn`. */
const ACCOUNT = 'account-1';

/** Writes the account file of an earlier run to a data folder, so that the messenger starts signed in. */
export function signIn(dataDir: string, platformUrl: string): void {
  const account = { version: 1, platform: platformUrl, account: ACCOUNT };
  writeFileSync(join(dataDir, 'account.json'), JSON.stringify(account), { mode: 0o600 });
}

/** A messenger that is signed in at a scripted platform. */
export type SignedIn = Awaited<ReturnType<typeof startSignedIn>>;

/** Starts a scripted platform. Stops it after the scenario. */
export async function startScriptedPlatform(soak: Soak): Promise<ScriptedPlatform> {
  const platform = await startPlatform();
  soak.defer(() => platform.stop());
  return platform;
}

/** Starts a platform, and a messenger with the account file of an earlier run; waits until it is connected. */
export async function startSignedIn(soak: Soak, options: MessengerOptions = {}) {
  const platform = await startScriptedPlatform(soak);
  const { dataDir = createDataFolder(soak), env = {} } = options;
  signIn(dataDir, platform.platformUrl);
  const messenger = await startMessenger(soak, {
    ...options,
    dataDir,
    env: { ...platformEnvironment(platform), ...env },
  });
  let taken = 0;
  /** Waits for the next connection, at most 10 s. */
  const nextSocket = async () => {
    const place = taken++;
    return soak.waitFor('the messenger connects', 10, () => platform.sockets.all[place]);
  };
  return { platform, messenger, socket: await nextSocket(), nextSocket };
}

/** The folder of the repository. The same from this file and from the bundle in `out/soak`. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** The folder of the built programs. */
export const PROGRAMS = join(ROOT, 'out');

/** The folder of results and of inputs that made a scenario fail. */
export const SOAK_OUT = join(ROOT, 'soak', 'out');
