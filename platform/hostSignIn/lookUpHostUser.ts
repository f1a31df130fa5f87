import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What this machine's user database says about a user. */
export interface HostUser {
  readonly uid: number;
  /** The full name, with what may follow it after a comma; often empty. */
  readonly gecos: string;
}

/** Returns the entry of a user; `undefined` when the user database has none or cannot be read. */
export type LookUpHostUser = (username: string) => Promise<HostUser | undefined>;

const TIMEOUT_MS = 3000;
/** Of passwd(5): the name, the password, the uid, the gid, the full name, the home and the shell. */
const [NAME, UID, GECOS] = [0, 2, 4];

const run = promisify(execFile);

/** Asks `getent`, which also knows the users of a directory (SSSD, LDAP). */
export const lookUpHostUser: LookUpHostUser = async (username) => {
  // A database is an own program here: a failure to run it only means that nothing is known.
  const output = await run('getent', ['passwd', '--', username], { timeout: TIMEOUT_MS }).catch(() => null);
  return output === null ? undefined : parseEntry(output.stdout, username);
};

/** Parses a line of passwd(5); `undefined` for another user: `getent` also finds users by their uid. */
function parseEntry(line: string, username: string): HostUser | undefined {
  const fields = line.trimEnd().split(':');
  const uid = fields[UID] ?? '';
  if (fields[NAME] !== username || !/^\d+$/.test(uid)) return undefined;
  return { uid: Number(uid), gecos: fields[GECOS] ?? '' };
}
