/*
 * A user that is created (spec §4.3, contract §8). From useradd to chpasswd it is locked: its password is `!`, which no
 * password matches. A service that is killed outright in between leaves it so, and nobody can sign in with it.
 *
 *   asked ── free ──▶ useradd ── 0 ──▶ locked ── chpasswd ── 0 ──▶ created
 *     │                  │                          │
 *     │                  ├ 9: taken                 │ fails, or its time is up
 *     │                  ▼ fails, time is up        ▼
 *     │               rolling back ◀────────────────┘
 *     ▼                  ├──▶ failed, nothing of it left
 *   taken                └──▶ failed, and something left
 */
import type { Clock } from '../../base/clock.ts';
import type { UserCreation } from '../../link/helperProtocol.ts';
import { type HostTools, NO_SHELL } from '../accounts/hostTools.ts';
import { LookUpError, homeOf, isThere, lookUp } from '../accounts/lookUp.ts';
import { rollBack } from './rollBack.ts';
import { type ToolEnd, runTool } from '../accounts/runTool.ts';

/** useradd's code for a name that a user or a group has. */
const NAME_TAKEN = 9;
/** useradd's code for files that it cannot change, a held lock first of all. */
const FILES_HELD = 1;

export interface NewAccount {
  /** Has passed the rules for names. */
  readonly name: string;
  /** Has passed the rules for passwords: a line's end in it would be another user's line to chpasswd. */
  readonly password: string;
}

export interface CreateOptions {
  readonly tools: HostTools;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** For useradd and chpasswd together. */
  readonly limitMs: number;
  /** For rolling back, from then on. */
  readonly rollBackMs: number;
}

/** Together, with what stopping a tool takes, less than the 30 s that the service has to end (contract §1). */
export const CREATION_LIMITS = { limitMs: 20_000, rollBackMs: 7_000 };

/** The results of a creation that has begun. */
export type Creation = Extract<UserCreation, { kind: 'created' | 'taken' | 'failed' }>;
type Failed = Extract<UserCreation, { kind: 'failed' }>;

/** Creates a user with a group of its name, a home and no shell, or leaves nothing behind; says so if it cannot. */
export async function createAccount(account: NewAccount, options: CreateOptions): Promise<Creation> {
  const leftMs = countdown(options.clock, options.limitMs);
  try {
    const by = await takenBy(account.name, options.tools, leftMs);
    if (by !== undefined) return { kind: 'taken', by };
  } catch (error) {
    if (!(error instanceof LookUpError)) throw error;
    return { kind: 'failed', fault: 'busy', detail: error.message, rolledBack: 'nothing' };
  }
  const added = await useradd(account, options, leftMs);
  if (added.code === NAME_TAKEN) return { kind: 'taken', by: 'useradd' };
  if (added.code !== 0) return failInUseradd(account, options, added);
  const set = await chpasswd(account, options, leftMs);
  if (set.code === 0) return { kind: 'created' };
  return failInChpasswd(account, options, set);
}

/** Something that runs out; at least 1 is left, for a tool without time ends at once. */
function countdown(clock: Pick<Clock, 'monotonic'>, limitMs: number): () => number {
  const over = clock.monotonic() + limitMs;
  return () => Math.max(1, over - clock.monotonic());
}

/** useradd itself sees to users and groups; a home that somebody left it would silently hand over. */
async function takenBy(
  name: string,
  tools: HostTools,
  leftMs: () => number,
): Promise<'user' | 'group' | 'home' | undefined> {
  if ((await lookUp({ tools, name, database: 'passwd', limitMs: leftMs() })) !== undefined) return 'user';
  if ((await lookUp({ tools, name, database: 'group', limitMs: leftMs() })) !== undefined) return 'group';
  return (await isThere(await homeOf(name, tools))) ? 'home' : undefined;
}

const useradd = ({ name }: NewAccount, { tools }: CreateOptions, leftMs: () => number) =>
  runTool({
    path: tools.useradd,
    args: ['--create-home', '--user-group', '--shell', NO_SHELL, '--', name],
    limitMs: leftMs(),
  });

/** The name is that before the first colon: the password may have more of them. */
const chpasswd = ({ name, password }: NewAccount, { tools }: CreateOptions, leftMs: () => number) =>
  runTool({ path: tools.chpasswd, args: [], input: `${name}:${password}\n`, limitMs: leftMs() });

async function failInUseradd({ name }: NewAccount, options: CreateOptions, end: ToolEnd): Promise<Creation> {
  const { code, timedOut, stderr } = end;
  const detail = `useradd: ${howOf(end)} ${stderr.trim()}`.trim();
  // It has written nothing: whoever holds the lock may be making the same user, which is not ours to remove.
  if (code === FILES_HELD && stderr.includes('cannot lock')) {
    return { kind: 'failed', fault: 'busy', detail, rolledBack: 'nothing' };
  }
  const rolledBack = await undo(name, options, { isOurs: false });
  return { kind: 'failed', fault: timedOut ? 'busy' : 'failed', detail, rolledBack };
}

/** What chpasswd says comes from modules of any origin, which have seen the password: it stays out of the log. */
async function failInChpasswd({ name }: NewAccount, options: CreateOptions, end: ToolEnd): Promise<Creation> {
  const rolledBack = await undo(name, options, { isOurs: true });
  return { kind: 'failed', fault: faultOfChpasswd(end), detail: `chpasswd: ${howOf(end)}`, rolledBack };
}

/** Modules that judge passwords say `BAD PASSWORD`; with exit code 0 it was but a warning. */
function faultOfChpasswd({ timedOut, stderr }: ToolEnd): Failed['fault'] {
  if (timedOut || stderr.includes('lock busy')) return 'busy';
  return stderr.includes('BAD PASSWORD') ? 'password' : 'failed';
}

const undo = (
  name: string,
  { tools, clock, rollBackMs }: CreateOptions,
  { isOurs }: { readonly isOurs: boolean },
) => rollBack({ tools, name, isOurs, leftMs: countdown(clock, rollBackMs) });

const howOf = ({ code, timedOut }: ToolEnd) => (timedOut ? 'took too long' : `exit code ${code ?? 'none'}`);
