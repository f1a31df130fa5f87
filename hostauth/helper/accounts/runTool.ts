/*
 * A tool of the host:
 *
 *   running ── exits ───────────────────────────────▶ ended (its code)
 *      └ time is up: SIGTERM ─▶ ending ── exits ────▶ ended (no code)
 *                                 └ grace over: SIGKILL, its pipes are closed ─▶ ended (no code)
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { errorCode } from '../../base/errors.ts';

/** The most output to keep, in characters. */
const MAX_OUTPUT = 64 * 1024;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;
/** The environment of every tool: no variables of the service, and messages in English. */
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** A run of a program of the host. */
interface ToolRun {
  /** Full path. */
  readonly path: string;
  readonly args: readonly string[];
  /** Its standard input. Secrets belong here: every user of the host can read arguments. */
  readonly input?: string;
  /** It is ended after this many milliseconds. */
  readonly limitMs: number;
}

/** The end of such a run. */
export interface ToolEnd {
  /** The exit code; `undefined` when it was ended, or could not start. */
  readonly code: number | undefined;
  /** Whether it was ended at its limit. */
  readonly timedOut: boolean;
  readonly stdout: string;
  /** Its output, or why it could not start. */
  readonly stderr: string;
}

type Tool = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Runs a tool without a shell, in a session of its own, so that a signal to the service (Ctrl-C in its terminal) does not
 * interrupt the tool. Never rejects; resolves soon after the limit whatever the tool does.
 */
export function runTool({ path, args, input = '', limitMs }: ToolRun): Promise<ToolEnd> {
  const tool = spawn(path, args, { cwd: '/', env: ENVIRONMENT, detached: true, stdio: 'pipe' });
  const stdout = collect(tool.stdout);
  const stderr = collect(tool.stderr);
  // A tool that ends without reading closes the pipe: its exit code is enough.
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
        // A process that it started may keep the pipes open, and a process that waits for a disk cannot be killed.
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

/** Sends a signal to the tool and all that it has started; after its exit, the pid may be that of another process. */
function signal(tool: Tool, name: 'SIGTERM' | 'SIGKILL'): void {
  if (tool.pid === undefined || !isRunning(tool)) return;
  try {
    process.kill(-tool.pid, name);
  } catch (error) {
    // It has ended in the meantime.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/** Collects the output of a pipe. */
function collect(pipe: Readable): () => string {
  let text = '';
  pipe.setEncoding('utf8').on('data', (piece: string) => {
    if (text.length < MAX_OUTPUT) text += piece;
  });
  return () => text;
}

/** The tools of the host, by full path: PATH is not used. */
export interface HostTools {
  readonly useradd: string;
  readonly chpasswd: string;
  readonly userdel: string;
  readonly groupdel: string;
  readonly getent: string;
  readonly id: string;
  /** The defaults of useradd, which name the folder of homes. */
  readonly defaults: string;
}

/** The paths on Debian. */
export const HOST_TOOLS: HostTools = {
  useradd: '/usr/sbin/useradd',
  chpasswd: '/usr/sbin/chpasswd',
  userdel: '/usr/sbin/userdel',
  groupdel: '/usr/sbin/groupdel',
  getent: '/usr/bin/getent',
  id: '/usr/bin/id',
  defaults: '/etc/default/useradd',
};

/** The shell of users created here: they can sign in to services only. */
export const NO_SHELL = '/usr/sbin/nologin';
