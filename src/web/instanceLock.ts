import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { codeOf } from '#shared/codeOf.ts';
import { parsedJson } from '#shared/parsedJson.ts';

/**
 * One instance a user-data folder. The file names the process that holds it, where it listens and the secret with
 * which another process may hand over to it.
 */
const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** When the process began, as the system counts; empty where it does not say. Tells it from a later one with its number. */
  began: z.string(),
  secret: z.string(),
  /** `null` until it listens. */
  port: z.number().int().nullable(),
});

export type Holder = z.infer<typeof holderSchema>;

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

const parse = (text: string): Holder | null => holderSchema.safeParse(parsedJson(text)).data ?? null;

/** When a process began, by Linux's count of ticks (field 22 of its stat); empty elsewhere. */
function beginningOf(pid: number): string {
  const stat = process.platform === 'linux' ? textOf(`/proc/${pid}/stat`) : null;
  // The name, in brackets, may hold spaces and brackets itself.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Whether the holder's process still runs: killed ones leave their file. */
const isAlive = ({ pid, began }: Holder) => exists(pid) && beginningOf(pid) === began;

/** The living holder of a lock, if any. */
export function holderOf(file: string): Holder | null {
  const text = textOf(file);
  const holder = text === null ? null : parse(text);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** The lock of this process, once taken. */
export class InstanceLock {
  #holder: Holder;

  private constructor(
    private readonly file: string,
    holder: Holder,
  ) {
    this.#holder = holder;
  }

  /** Takes the lock; `null` when another living process has it. */
  static take(file: string, secret: string): InstanceLock | null {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const lock = new InstanceLock(file, {
      pid: process.pid,
      began: beginningOf(process.pid),
      secret,
      port: null,
    });
    while (!lock.#claim()) {
      if (holderOf(file) !== null) return null;
      clearAway(file);
    }
    return lock;
  }

  get secret(): string {
    return this.#holder.secret;
  }

  /** Says where this process listens. */
  publish(port: number): void {
    this.#holder = { ...this.#holder, port };
    renameSync(this.#written(), this.file);
  }

  release(): void {
    const text = textOf(this.file);
    if (text !== null && parse(text)?.secret === this.secret) rmSync(this.file);
  }

  /** A link is made at once and whole: nobody ever reads half a file. */
  #claim(): boolean {
    const written = this.#written();
    try {
      linkSync(written, this.file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(written);
    }
  }

  #written(): string {
    const aside = `${this.file}.${process.pid}`;
    writeFileSync(aside, JSON.stringify(this.#holder), { mode: 0o600 });
    return aside;
  }
}

/** Moves a dead process's file away. Were it a living one's by now (two started at once), it goes back. */
function clearAway(file: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if (holderOf(aside) === null) rmSync(aside);
  else renameSync(aside, file);
}
