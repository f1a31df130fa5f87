import type { HostTools } from '../accounts/hostTools.ts';
import { NO_SHELL } from '../accounts/hostTools.ts';
import { LookUpError, defaultHome, pathExists, lookUp } from '../accounts/lookUp.ts';
import { runTool } from '../accounts/runTool.ts';

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
export async function rollBack(options: RollBack): Promise<RolledBack> {
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
