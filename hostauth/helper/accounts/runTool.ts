/*
 * A tool of the host:
 *
 *   running ── exits ───────────────────────────────▶ ended (its code)
 *      └ time is up: SIGTERM ─▶ ending ── exits ────▶ ended (no code)
 *                                 └ grace over: SIGKILL, its pipes are let go ─▶ ended (no code)
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { errorCode } from '../../base/errorCode.ts';

/** Tools that say more than this are not listened to any longer. Characters. */
const HEARD = 64 * 1024;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;
/** The same for every tool: nothing of the service's own, and no language but that which is read here. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

export interface ToolRun {
  /** Full path. */
  readonly path: string;
  readonly args: readonly string[];
  /** For its standard input. What is secret belongs here: arguments can be read by everybody on the host. */
  readonly input?: string;
  /** It is ended after so long. */
  readonly limitMs: number;
}

export interface ToolEnd {
  /** `undefined`: it did not end by itself, or never began. */
  readonly code: number | undefined;
  /** Its time was up. */
  readonly timedOut: boolean;
  readonly stdout: string;
  /** Or why it could not be started. */
  readonly stderr: string;
}

type Tool = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a tool without a shell, in a session of its own, so that a signal for the service (Ctrl-C in its terminal) does not
 * reach the tool in the middle of its work. Never rejects, and is over soon after the limit whatever the tool does.
 */
export function runTool({ path, args, input = '', limitMs }: ToolRun): Promise<ToolEnd> {
  const tool = spawn(path, args, { cwd: '/', env: ENVIRONMENT, detached: true, stdio: 'pipe' });
  const stdout = hear(tool.stdout);
  const stderr = hear(tool.stderr);
  // One that ends without reading closes the pipe: its exit code says what there is to say.
  tool.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve) => {
    let timedOut = false;
    const end = (why: string) => {
      clearTimeout(timer);
      const code = timedOut || tool.pid === undefined ? undefined : (tool.exitCode ?? undefined);
      resolve({ code, timedOut, stdout: stdout(), stderr: why });
    };
    let timer = setTimeout(() => {
      timedOut = isRunning(tool);
      signal(tool, 'SIGTERM');
      timer = setTimeout(() => {
        signal(tool, 'SIGKILL');
        // A process that it began may hold the pipes open, and one that waits for a disk does not even die.
        for (const pipe of [tool.stdin, tool.stdout, tool.stderr]) pipe.destroy();
        end(stderr());
      }, GRACE_MS);
    }, limitMs);
    tool.once('error', ({ message }) => end(message));
    tool.once('close', () => end(stderr()));
  });
}

const isRunning = ({ pid, exitCode, signalCode }: Tool): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;

/** To the tool and all that it has begun; once it has exited its number may be another's. */
function signal(tool: Tool, name: 'SIGTERM' | 'SIGKILL'): void {
  if (tool.pid === undefined || !isRunning(tool)) return;
  try {
    process.kill(-tool.pid, name);
  } catch (error) {
    // It ended meanwhile.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

function hear(pipe: Readable): () => string {
  let text = '';
  pipe.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < HEARD) text += piece;
  });
  return () => text;
}
