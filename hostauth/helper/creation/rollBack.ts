import type { HostTools } from '../accounts/hostTools.ts';
import { NO_SHELL } from '../accounts/hostTools.ts';
import { LookUpError, homeOf, isThere, lookUp } from '../accounts/lookUp.ts';
import { runTool } from '../accounts/runTool.ts';

/** What became of a user whose creation failed: nothing was there, it was removed, or something is left. */
export type RolledBack = 'nothing' | 'removed' | 'left';

export interface RollBack {
  readonly tools: HostTools;
  /** It was free, as a user, a group and a home, before useradd began. */
  readonly name: string;
  /** Whether useradd said that it has made the user. */
  readonly isOurs: boolean;
  /** What is left of the time for it, in milliseconds. */
  readonly leftMs: () => number;
}

/**
 * Removes a user that was created by half, with its group and home, and looks whether they are gone. Never rejects: what
 * cannot be told counts as left.
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
  return isThere(await homeOf(options.name, options.tools));
}

/**
 * When useradd was stopped, somebody else's may have been at work on the same name, whose lock ours waited for: only what
 * looks as ours leaves it, without a shell and never given a password, is removed.
 */
async function looksUnfinished(options: RollBack): Promise<boolean> {
  const user = await entry(options, 'passwd');
  if (user === undefined || user.at(-1) !== NO_SHELL) return false;
  const [, password = '!'] = (await entry(options, 'shadow')) ?? [];
  return password === '!';
}

/** Whether it worked is looked at afterwards: userdel's code also tells of mail that there never was. */
async function remove(options: RollBack): Promise<void> {
  const { tools, name, leftMs } = options;
  await runTool({ path: tools.userdel, args: ['--remove', '--', name], limitMs: leftMs() });
  if ((await entry(options, 'passwd')) === undefined && (await entry(options, 'group')) !== undefined) {
    await runTool({ path: tools.groupdel, args: ['--', name], limitMs: leftMs() });
  }
}
