import type { HostTools } from './hostTools.ts';
import { LookUpError, lookUp } from './lookUp.ts';
import { runTool } from './runTool.ts';

/** A directory that is away must not hold a request for long. */
const LIMIT_MS = 5000;

export interface AdminGroupOptions {
  readonly tools: Pick<HostTools, 'getent' | 'id'>;
  /** The group's name. */
  readonly group: string;
  /** The longest that each of two lookups may take, in milliseconds; 5000 unless given. */
  readonly limitMs?: number;
}

/**
 * Whether a user is in the administrators' group now, by primary group or as a member: somebody who was taken out of it
 * loses it at once, whatever session they have. A group or user that does not exist (any more) means no.
 * @throws {LookUpError} when that cannot be told.
 */
export async function isAdministrator(username: string, options: AdminGroupOptions): Promise<boolean> {
  const { tools, group, limitMs = LIMIT_MS } = options;
  const entry = await lookUp({ tools, database: 'group', name: group, limitMs });
  const gid = entry?.[2];
  if (gid === undefined) return false;
  // Not the group's list of members, which directories may leave out: what a session of this user would be given.
  const { code, timedOut, stdout } = await runTool({
    path: tools.id,
    args: ['--groups', '--', username],
    limitMs,
  });
  if (timedOut) throw new LookUpError('id took too long');
  return code === 0 && stdout.trim().split(' ').includes(gid);
}
