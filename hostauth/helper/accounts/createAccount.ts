/*
 * The creation of a user (spec §4.3, contract §8). From useradd to chpasswd it is locked: its password field is `!`, which no
 * password matches. A service that is killed in between leaves it so: no one can sign in with it.
 *
 *   start ── free ──▶ useradd ── 0 ──▶ locked ── chpasswd ── 0 ──▶ created
 *     │                  │                          │
 *     │                  ├ 9: taken                 │ fails, or its time is up
 *     │                  ▼ fails, time is up        ▼
 *     │               rolling back ◀────────────────┘
 *     ▼                  ├──▶ failed, nothing left
 *   taken                └──▶ failed, something left
 */
import type { Clock } from '../../base/clock.ts';
import type { UserCreation } from '../../link/helperProtocol.ts';
import { LookUpError, defaultHome, lookUp, pathExists } from './lookUp.ts';
import { type HostTools, NO_SHELL, type ToolEnd, runTool } from './runTool.ts';

/** The exit code of useradd for a name that a user or a group has. */
const NAME_TAKEN = 9;
/** The exit code of useradd when it cannot change the account files, for example because they are locked. */
const FILES_LOCKED = 1;

/** The account to create. */
export interface NewAccount {
  /** A valid name. */
  readonly name: string;
  /** A valid password: without a line end, after which chpasswd would read the line of another user. */
  readonly password: string;
}

/** The options of `createAccount`. */
export interface CreateOptions {
  readonly tools: HostTools;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The longest that useradd and chpasswd together may take, in milliseconds. */
  readonly limitMs: number;
  /** The longest that the roll-back may take after that, in milliseconds. */
  readonly rollBackMs: number;
}

/** Together, with the time to stop a tool, less than the 30 s in which the service must end (contract §1). */
export const CREATION_LIMITS = { limitMs: 20_000, rollBackMs: 7_000 };

/** The results of a creation that has begun. */
export type Creation = Extract<UserCreation, { kind: 'created' | 'taken' | 'failed' }>;
type Failed = Extract<UserCreation, { kind: 'failed' }>;

/** Creates a user with a group of its name, a home and no shell. After a failure it removes everything, or reports what is left. */
export async function createAccount(account: NewAccount, options: CreateOptions): Promise<Creation> {
  const leftMs = countdown(options.clock, options.limitMs);
  try {
    const by = await findTaken(account.name, options.tools, leftMs);
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

/** Returns the remaining time, at least 1 ms: a tool with a limit of 0 would end at once. */
function countdown(clock: Pick<Clock, 'monotonic'>, limitMs: number): () => number {
  const over = clock.monotonic() + limitMs;
  return () => Math.max(1, over - clock.monotonic());
}

/** Checks whether a name is taken. useradd checks users and groups, but it would give the old home of another user to the new one. */
async function findTaken(
  name: string,
  tools: HostTools,
  leftMs: () => number,
): Promise<'user' | 'group' | 'home' | undefined> {
  if ((await lookUp({ tools, name, database: 'passwd', limitMs: leftMs() })) !== undefined) return 'user';
  if ((await lookUp({ tools, name, database: 'group', limitMs: leftMs() })) !== undefined) return 'group';
  return (await pathExists(await defaultHome(name, tools))) ? 'home' : undefined;
}

const useradd = ({ name }: NewAccount, { tools }: CreateOptions, leftMs: () => number) =>
  runTool({
    path: tools.useradd,
    args: ['--create-home', '--user-group', '--shell', NO_SHELL, '--', name],
    limitMs: leftMs(),
  });

/** The name ends at the first colon: the password may contain more. */
const chpasswd = ({ name, password }: NewAccount, { tools }: CreateOptions, leftMs: () => number) =>
  runTool({ path: tools.chpasswd, args: [], input: `${name}:${password}\n`, limitMs: leftMs() });

async function failInUseradd({ name }: NewAccount, options: CreateOptions, end: ToolEnd): Promise<Creation> {
  const { code, timedOut, stderr } = end;
  const detail = `useradd: ${describeEnd(end)} ${stderr.trim()}`.trim();
  // It has written nothing. The program that holds the lock may create the same user, which must not be removed.
  if (code === FILES_LOCKED && stderr.includes('cannot lock')) {
    return { kind: 'failed', fault: 'busy', detail, rolledBack: 'nothing' };
  }
  const rolledBack = await undo(name, options, { isOurs: false });
  return { kind: 'failed', fault: timedOut ? 'busy' : 'failed', detail, rolledBack };
}

/** The output of chpasswd is not logged: it comes from modules that have seen the password. */
async function failInChpasswd({ name }: NewAccount, options: CreateOptions, end: ToolEnd): Promise<Creation> {
  const rolledBack = await undo(name, options, { isOurs: true });
  return { kind: 'failed', fault: faultOfChpasswd(end), detail: `chpasswd: ${describeEnd(end)}`, rolledBack };
}

/** Modules that check passwords print `BAD PASSWORD`; with exit code 0 it is only a warning. */
function faultOfChpasswd({ timedOut, stderr }: ToolEnd): Failed['fault'] {
  if (timedOut || stderr.includes('lock busy')) return 'busy';
  return stderr.includes('BAD PASSWORD') ? 'password' : 'failed';
}

const undo = (
  name: string,
  { tools, clock, rollBackMs }: CreateOptions,
  { isOurs }: { readonly isOurs: boolean },
) => rollBack({ tools, name, isOurs, leftMs: countdown(clock, rollBackMs) });

const describeEnd = ({ code, timedOut }: ToolEnd) =>
  timedOut ? 'took too long' : `exit code ${code ?? 'none'}`;

/** The result of a roll-back: nothing was there, it was removed, or something is left. */
type RolledBack = 'nothing' | 'removed' | 'left';

/** What is known about the account whose creation failed. */
interface RollBack {
  readonly tools: HostTools;
  /** It was free, as a user, a group and a home, before useradd started. */
  readonly name: string;
  /** Whether useradd reported that it has created the user. */
  readonly isOurs: boolean;
  /** Returns the remaining time, in milliseconds. */
  readonly leftMs: () => number;
}

/**
 * Removes a partly created user, with its group and home, and checks that they are gone. Never rejects: when the name
 * service does not answer, the result is `left`.
 */
async function rollBack(options: RollBack): Promise<RolledBack> {
  try {
    if (!(await isAnythingThere(options))) return 'nothing';
    if (!options.isOurs && !(await looksUnfinished(options))) return 'left';
    await remove(options);
    return (await isAnythingThere(options)) ? 'left' : 'removed';
  } catch (error) {
    if (error instanceof LookUpError) return 'left';
    throw error;
  }
}

const entry = ({ tools, name, leftMs }: RollBack, database: 'passwd' | 'group' | 'shadow') =>
  lookUp({ tools, name, database, onlyFiles: true, limitMs: leftMs() });

async function isAnythingThere(options: RollBack): Promise<boolean> {
  if ((await entry(options, 'passwd')) !== undefined) return true;
  if ((await entry(options, 'group')) !== undefined) return true;
  return pathExists(await defaultHome(options.name, options.tools));
}

/**
 * Returns whether a user looks like one that our useradd has left: without a shell and without a password ever set. When useradd was
 * stopped, another program may have created a user of the same name while ours waited for its lock.
 */
async function looksUnfinished(options: RollBack): Promise<boolean> {
  const user = await entry(options, 'passwd');
  if (user === undefined || user.at(-1) !== NO_SHELL) return false;
  const [, password = '!'] = (await entry(options, 'shadow')) ?? [];
  return password === '!';
}

/** The result is checked afterwards: userdel also fails when there is no mailbox. */
async function remove(options: RollBack): Promise<void> {
  const { tools, name, leftMs } = options;
  await runTool({ path: tools.userdel, args: ['--remove', '--', name], limitMs: leftMs() });
  if ((await entry(options, 'passwd')) === undefined && (await entry(options, 'group')) !== undefined) {
    await runTool({ path: tools.groupdel, args: ['--', name], limitMs: leftMs() });
  }
}
