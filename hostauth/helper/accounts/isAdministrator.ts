import type { HostTools } from './hostTools.ts';
import { LookUpError, lookUp } from './lookUp.ts';
import { runTool } from './runTool.ts';

/** The longest that each lookup may take, in milliseconds: a request must not wait long for a directory. */
const LIMIT_MS = 5000;

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
