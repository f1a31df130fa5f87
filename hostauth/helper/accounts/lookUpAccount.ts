import type { AccountEntry } from './accountProof.ts';
import { parseEntry } from './localAccounts.ts';
import type { HostTools } from './hostTools.ts';
import { lookUp } from './lookUp.ts';

/** The longest time to wait for a directory, in milliseconds. */
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
