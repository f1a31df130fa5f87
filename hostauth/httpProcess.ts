/*
 * The HTTP process, as the helper starts it:
 *
 *   starting ── first line of stdout ──▶ ready ── ended ──▶ waiting ── delay ──▶ starting
 *       ├─ ended, and was ready before ────────────────────▶ ▲
 *       └─ ended, and was never ready ──▶ its exit code is passed on
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Helper } from './link/helperProtocol.ts';
import { serveHelper } from './link/serveHelper.ts';

/** The socket to the helper, in the HTTP process. */
const HELPER_FD = 3;
/** The delay before a restart; doubled after each process that did not become ready. */
const RESTART_MS = 100;
const MAX_RESTART_MS = 5000;

const SETPRIV = '/usr/bin/setpriv';
/** The capabilities that the process needs until it drops them: to read certificates, and to change its user. */
const CAPABILITIES = '-all,+dac_read_search,+setuid,+setgid';
const CONFINED = [SETPRIV, '--no-new-privs', `--bounding-set=${CAPABILITIES}`, '--inh-caps=-all'] as const;

/** The variables of the environment that the HTTP process gets. */
const PASSED_VARIABLE = /^(HOSTAUTH_\w+|PATH|TZ|LANG|LC_\w+)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of `startHttpProcess`. */
interface HttpProcessOptions {
  /** The built `http/main.ts`. */
  readonly path: string;
  readonly env: Environment;
  /** Whether this process is root: the HTTP process then drops its rights. */
  readonly isRoot: boolean;
  readonly helper: Helper;
  readonly logger: Pick<Logger, 'warn'>;
  /** Called when the process is ready for the first time. */
  readonly onReady: () => void;
  /** Called when it ended before it was ready for the first time. */
  readonly onFailed: (exitCode: number) => void;
}

/** The running HTTP process. */
interface HttpProcess {
  /** Ends it; resolves when it has answered its requests and ended. */
  stop(): Promise<void>;
}

/** Starts the HTTP process, and restarts it when it ends. */
export function startHttpProcess(options: HttpProcessOptions): HttpProcess {
  const { helper, logger } = options;
  let env = options.env;
  let wasReady = false;
  let isStopping = false;
  let restartMs = RESTART_MS;
  let timer: NodeJS.Timeout | undefined;
  let child: ChildProcess | undefined;
  let ended = Promise.resolve();

  function start(): void {
    const started = spawnProcess({ ...options, env });
    child = started;
    serveHelper(linkOf(started), helper, () => undefined);
    readFirstLine(started, onReady);
    ended = new Promise((resolve) => {
      started.once('close', (code, signal) => {
        resolve();
        onEnd(code, signal);
      });
    });
  }

  function onReady(line: string): void {
    restartMs = RESTART_MS;
    // The next process listens on the same port, also where the setting is any free port.
    const port = /:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) env = { ...env, HOSTAUTH_PORT: port };
    if (!wasReady) options.onReady();
    wasReady = true;
  }

  function onEnd(code: number | null, signal: string | null): void {
    if (isStopping) return;
    if (!wasReady) return options.onFailed(code ?? 1);
    logger.warn({ code, signal }, 'the HTTP process ended: it is restarted, and all sessions have ended');
    timer = setTimeout(start, restartMs);
    restartMs = Math.min(2 * restartMs, MAX_RESTART_MS);
  }

  start();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      child?.kill('SIGTERM');
      await ended;
    },
  };
}

function linkOf({ stdio }: ChildProcess): Duplex {
  const link = stdio[HELPER_FD];
  if (link instanceof Duplex) return link;
  throw new TypeError('the HTTP process has no socket to the helper');
}

/** Prints the first line of a process and passes it on. */
function readFirstLine({ stdout }: ChildProcess, onLine: (line: string) => void): void {
  stdout?.once('data', (data: Buffer) => {
    const [line = ''] = data.toString().split('\n');
    process.stdout.write(`${line}\n`);
    onLine(line);
    // Later output is dropped: a process that was taken over could fill this one's memory, or name another port.
    stdout.resume();
  });
}

function spawnProcess({
  path,
  env,
  isRoot,
}: Pick<HttpProcessOptions, 'path' | 'env' | 'isRoot'>): ChildProcess {
  const [program, ...args] = [...(isRoot ? CONFINED : []), process.execPath, path];
  const own = Object.entries(env).filter(([name]) => PASSED_VARIABLE.test(name));
  return spawn(program ?? process.execPath, args, {
    env: {
      ...Object.fromEntries(own),
      HOSTAUTH_HELPER_FD: String(HELPER_FD),
      // Threads of io_uring would keep the rights with which they started.
      UV_USE_IO_URING: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    // In a session of its own it has no terminal into which it could type (TIOCSTI).
    detached: true,
  });
}
