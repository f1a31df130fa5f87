import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HostTools, runTool } from './runTool.ts';
import { type AccountEntry, parseEntry } from './localAccounts.ts';
import type { Clock } from '../../base/clock.ts';
import { createConcurrencyLimiter } from '../../base/concurrencyLimiter.ts';

/** The exit code of getent when there is no such entry. */
const NO_ENTRY = 2;
/** The folder of homes, unless the defaults of useradd name another. */
const HOMES = '/home';

/** The name service did not answer: a directory cannot be reached, or takes too long. */
export class LookUpError extends Error {
  override readonly name = 'LookUpError';
}

/** A lookup in a database of the name service. */
interface LookUp {
  readonly tools: Pick<HostTools, 'getent'>;
  readonly database: 'passwd' | 'group' | 'shadow';
  /** A valid name, or one of the host: it does not begin with a `-`. */
  readonly name: string;
  /** Whether to search only the host's own files, without caches; by default directories too. */
  readonly onlyFiles?: boolean;
  readonly limitMs: number;
}

/**
 * Looks up the fields of a user or group; `undefined` when it does not exist.
 * @throws {LookUpError} when the name service does not answer.
 */
export async function lookUp(options: LookUp): Promise<readonly string[] | undefined> {
  const { tools, database, name, onlyFiles = false, limitMs } = options;
  const args = [...(onlyFiles ? ['-s', 'files'] : []), database, name];
  const { code, stdout, stderr } = await runTool({ path: tools.getent, args, limitMs });
  if (code === 0) return stdout.trimEnd().split(':');
  if (code === NO_ENTRY) return undefined;
  throw new LookUpError(`getent ${database} failed (${code ?? 'no exit code'}) ${stderr}`.trimEnd());
}

/** Returns the path of a new user's home. */
export async function defaultHome(name: string, { defaults }: Pick<HostTools, 'defaults'>): Promise<string> {
  const text = await readFile(defaults, 'utf8').catch(() => '');
  return join(/^HOME=(\S+)/m.exec(text)?.[1] ?? HOMES, name);
}

/** Returns whether a path exists. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The longest time to wait for a directory, in milliseconds: a request must not wait long. */
const LIMIT_MS = 5000;

/** Options and uids of getent (also ` 0` and `+0`), and names with `+` or `-` in front, which belong to NIS. */
const NOT_A_NAME = /^([+-]|\s*[+-]?\d+$)/;

/**
 * Looks up an account that is not in the host's own files, such as one of a directory.
 * @throws {LookUpError} when the name service does not answer.
 */
export async function lookUpAccount(
  username: string,
  tools: Pick<HostTools, 'getent'>,
): Promise<AccountEntry | undefined> {
  if (NOT_A_NAME.test(username)) return undefined;
  const fields = await lookUp({ tools, database: 'passwd', name: username, limitMs: LIMIT_MS });
  return fields && parseEntry(fields);
}

/** Each lookup is a process: a directory that does not answer must not fill the host with them. */
const CONCURRENCY = 16;
const WAITING = 256;
/** The longest wait for a slot. */
const WAIT_MS = 5000;

/**
 * Runs a lookup when fewer than 16 run.
 * @throws {LookUpError} when too many wait, or this one has waited for 5 s.
 */
type LimitLookUp = <T>(task: () => Promise<T>) => Promise<T>;

/** Limits how many lookups run at once. */
export function createLookUpLimit(clock: Pick<Clock, 'after'>): LimitLookUp {
  const limiter = createConcurrencyLimiter({
    concurrency: CONCURRENCY,
    waiting: WAITING,
    timeoutMs: WAIT_MS,
    clock,
  });
  return async (task) => {
    const outcome = await limiter.run(async () => ({ value: await task() }));
    if (outcome === undefined) throw new LookUpError('too many lookups wait');
    return outcome.value;
  };
}

/** The options of `isAdministrator`. */
interface AdminGroupOptions {
  readonly tools: Pick<HostTools, 'getent' | 'id'>;
  /** The group's name. */
  readonly group: string;
  /** The longest that each of two lookups may take, in milliseconds; 5000 unless given. */
  readonly limitMs?: number;
}

/**
 * Looks up whether a user is in the administrators' group now, as primary group or as a member. A user who leaves the group
 * loses the rights at once, also in a live session. For a group or user that does not exist the answer is no.
 * @throws {LookUpError} when the name service does not answer.
 */
export async function isAdministrator(username: string, options: AdminGroupOptions): Promise<boolean> {
  const { tools, group, limitMs = LIMIT_MS } = options;
  const entry = await lookUp({ tools, database: 'group', name: group, limitMs });
  const gid = entry?.[2];
  if (gid === undefined) return false;
  // `id` gives the groups of a session of this user; directories may leave the member list of a group empty.
  const { code, timedOut, stdout } = await runTool({
    path: tools.id,
    args: ['--groups', '--', username],
    limitMs,
  });
  if (timedOut) throw new LookUpError('id took too long');
  return code === 0 && stdout.trim().split(' ').includes(gid);
}

/** The most names of groups, in bytes: a line of the protocol has 16 KiB, and one name 32 characters or more in a directory. */
const GROUPS_BYTES = 8192;

/**
 * Looks up the names of a user's groups now; those after the first 8 KiB are left out.
 * @throws {LookUpError} when the name service does not answer.
 */
export async function groupsOf(
  username: string,
  { tools, limitMs = LIMIT_MS }: Omit<AdminGroupOptions, 'group'>,
): Promise<string[]> {
  // `--zero`: a directory's names may have spaces. `id` exits with 1 when a group has no name, and prints its number.
  const args = ['--groups', '--name', '--zero', '--', username];
  const { timedOut, stdout } = await runTool({ path: tools.id, args, limitMs });
  if (timedOut) throw new LookUpError('id took too long');
  let bytes = 0;
  return stdout.split('\0').filter((name) => {
    bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
    return name !== '' && bytes <= GROUPS_BYTES;
  });
}
