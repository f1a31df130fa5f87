import { takeLock } from '#node/claimDataFolder.ts';
import { FolderLock, type Holder, readHolder } from '#node/folderLock.ts';
import { errorCode } from '#shared/formatText.ts';
import type { Access } from '#loopback/access.ts';
import { removeRedirectPages, writeRedirectPage } from '#loopback/redirectPage.ts';
import { type Resume, createResume } from './resume.ts';
import {
  ListenError,
  type Server,
  type ServerDeps,
  startServer,
  SECOND_INSTANCE_PATH,
  type HandOverAnswer,
  type SecondInstance,
  handOverAnswerSchema,
} from './webServer.ts';

/** The parts of the host that `Instance` uses. */
export interface InstanceDeps {
  readonly serverDeps: Omit<ServerDeps, 'secret' | 'secondInstance' | 'resume'>;
  /** Read when the server starts: the port (see `startServer`), and whether to open a browser. */
  readonly settings: () => { readonly port: number | null; readonly open: boolean };
  /** Prints a line on stdout. */
  readonly print: (line: string) => void;
  /** Prints a line on stderr. */
  readonly complain: (line: string) => void;
  /** Opens a browser if there is one. The address becomes an argument of a program, so it contains no secret. */
  readonly openBrowser: (url: string) => void;
  /** Called when another process has handed its start over to this one. */
  readonly secondInstance: (start: SecondInstance) => void;
  /** Returns the number of connected pages. */
  readonly pages: () => number;
  /** Ends the process because the server cannot listen. */
  readonly giveUp: (exitCode: number) => void;
  readonly pause: (ms: number) => Promise<void>;
}

/**
 * This process among the processes of its user: the first one listens; a later one hands its start over and ends.
 *
 *   alone ── takeLock ─▶ first ── serve ─▶ listening ─▶ stopped
 *     └───── takeLock ─▶ second ── stop: hands over ──▶ stopped
 */
export class Instance {
  #lock: FolderLock | null = null;
  /** The lock's file, when another process has it. */
  #heldFile: string | null = null;
  /** The data folder, once its lock is taken. */
  #folder: string | null = null;
  #server: Promise<Server | null> | null = null;
  #resume: Resume | null = null;

  constructor(private readonly deps: InstanceDeps) {}

  takeLock(userData: string): boolean {
    const secret = this.deps.serverDeps.random(32).toString('base64url');
    const taken = takeLock(userData, { secret, program: 'web' });
    if (!(taken instanceof FolderLock)) {
      this.#heldFile = taken.file;
      return false;
    }
    this.#lock = taken;
    this.#folder = userData;
    removeRedirectPages(userData);
    return true;
  }

  /** Starts the server at the first call and prints its address. */
  async serve(): Promise<void> {
    if (this.#heldFile !== null) return;
    this.#server ??= this.#start();
    await this.#server;
  }

  /** Stops the server and releases the lock, or hands over as the second process; resolves to the process's exit code. */
  async stop(exitCode: number): Promise<number> {
    if (this.#heldFile !== null) return this.#handOver(this.#heldFile, exitCode);
    const server = await this.#server;
    await server?.stop();
    if (this.#folder !== null) removeRedirectPages(this.#folder);
    this.#lock?.release();
    return exitCode;
  }

  /** The key with which a page of this run is recognized again; empty before the server listens. */
  get resumeKey(): string {
    return this.#resume?.key ?? '';
  }

  async #start(): Promise<Server | null> {
    const { port, open } = this.deps.settings();
    const server = await this.#listen(port);
    if (server === null) return null;
    this.#lock?.publish(server.port);
    this.deps.print(readyLine(server.access.invitation()));
    if (open) this.#open(this.#redirectPage(server.access));
    return server;
  }

  #open(page: string | null): void {
    if (page !== null) this.deps.openBrowser(page);
  }

  /** Returns the address of a redirect page; `null` when it cannot be written: the printed address still works. */
  #redirectPage(access: Access): string | null {
    if (this.#folder === null) return null;
    try {
      return writeRedirectPage(this.#folder, access);
    } catch (error) {
      const why = errorCode(error) ?? 'unknown';
      this.deps.complain(
        `No browser is opened: its page cannot be written (${why}). Open the printed address.`,
      );
      return null;
    }
  }

  async #listen(port: number | null): Promise<Server | null> {
    this.#resume = createResume(this.#folder, this.deps.serverDeps.random);
    try {
      return await startServer(
        {
          ...this.deps.serverDeps,
          resume: this.#resume,
          secret: () => this.#lock?.secret ?? null,
          secondInstance: (start, access) => this.#answer(start, access),
        },
        port,
      );
    } catch (error) {
      if (!(error instanceof ListenError)) throw error;
      this.deps.complain(error.message);
      this.deps.giveUp(error.exitStatus);
      return null;
    }
  }

  /** Answers another start. A browser is opened only when no page is connected. */
  #answer(start: SecondInstance, access: Access): HandOverAnswer {
    this.deps.secondInstance(start);
    const open = this.deps.pages() === 0 ? this.#redirectPage(access) : null;
    return { ready: access.invitation(), open };
  }

  async #handOver(file: string, exitCode: number): Promise<number> {
    try {
      const start = { argv: process.argv, workingDirectory: process.cwd() };
      const { ready, open } = await handOver(file, start, this.deps.pause);
      this.deps.print(readyLine(ready));
      if (this.deps.settings().open) this.#open(open);
      return exitCode;
    } catch (error) {
      if (!(error instanceof HandOverError)) throw error;
      this.deps.complain(error.message);
      return 1;
    }
  }
}

const readyLine = (address: string) => `Parley is ready at ${address}`;

/** The first process cannot take over. `message` is one line that says what to do. */
export class HandOverError extends Error {
  override readonly name = 'HandOverError';
}

const LIMITS = { tries: 100, everyMs: 50, answerMs: 5000 };

/**
 * Hands this start over to the process that holds the lock.
 * @param pause waits for a number of milliseconds.
 * @throws {HandOverError} when no process holds the lock any more, or it does not respond.
 */
export async function handOver(
  file: string,
  start: SecondInstance,
  pause: (ms: number) => Promise<void>,
): Promise<HandOverAnswer> {
  const { secret, port } = await listeningHolder(file, pause);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${SECOND_INSTANCE_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(start),
      signal: AbortSignal.timeout(LIMITS.answerMs),
    });
    return handOverAnswerSchema.parse(await response.json());
  } catch (cause) {
    throw new HandOverError(
      `Another Parley runs but does not answer. Stop it, or remove ${file} if none runs; then start again`,
      {
        cause,
      },
    );
  }
}

/** Waits at most 5 s for the first process to listen: it may be starting itself. */
async function listeningHolder(file: string, pause: (ms: number) => Promise<void>): Promise<Holder> {
  for (let tries = 0; tries < LIMITS.tries; tries += 1) {
    const holder = readHolder(file);
    if (holder === null) break;
    if (holder.port !== null) return holder;
    await pause(LIMITS.everyMs);
  }
  throw new HandOverError('Another Parley was starting but is not ready yet; start Parley again');
}
