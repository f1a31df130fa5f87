import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import type { AccountEntry } from './accountProof.ts';

/** The host's own files of accounts. */
export interface AccountFiles {
  readonly passwd: string;
  readonly shadow: string;
}

export const ACCOUNT_FILES: AccountFiles = { passwd: '/etc/passwd', shadow: '/etc/shadow' };

/** The accounts in the host's own files; others come from the name service. */
export interface LocalAccounts {
  /** The account of a name now; `undefined` when the files do not have it. */
  find(username: string): AccountEntry | undefined;
  /** The line of shadow; empty when there is none. */
  shadowLine(username: string): string;
}

/** Reads the files again only when they have changed: a lookup costs two `stat`. */
export function createLocalAccounts(files: AccountFiles = ACCOUNT_FILES): LocalAccounts {
  const passwd = createLineIndex(files.passwd);
  const shadow = createLineIndex(files.shadow);
  return {
    find(username) {
      const fields = passwd(username)?.split(':');
      return fields && entryOf(fields, shadow(username));
    },
    shadowLine: (username) => shadow(username) ?? '',
  };
}

/** Makes an entry of the fields of a passwd line and the shadow line that belongs to it. */
export function entryOf(fields: readonly string[], shadowLine = ''): AccountEntry | undefined {
  const [username = '', , uid = '', gid = '', , home = '', shell = ''] = fields;
  if (!/^\d+$/.test(uid)) return undefined;
  const [, password = '', ...aging] = shadowLine.split(':');
  return {
    username,
    uid: Number(uid),
    identity: [username, uid, gid, home, shell].join(':'),
    password,
    aging: aging.join(':'),
  };
}

/** Finds lines by their first field. Of two lines with one name the first counts, as for the C library. */
function createLineIndex(path: string): (name: string) => string | undefined {
  let version = '';
  let lines: ReadonlyMap<string, string> = new Map();
  return (name) => {
    const now = versionOf(path);
    if (now !== version) {
      lines = readLines(path);
      version = now;
    }
    return lines.get(name);
  };
}

/** Tools replace these files, so that the inode changes too. Empty when the file cannot be looked at. */
function versionOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
}

function readLines(path: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const line of read(path).split('\n')) {
    const name = line.slice(0, Math.max(0, line.indexOf(':')));
    // Lines that begin with `+` or `-` include or exclude accounts of NIS: they are not accounts.
    if (/^[^+-]/.test(name) && !lines.has(name)) lines.set(name, line);
  }
  return lines;
}

/** Empty for those who may not read it: shadow, where the service does not run as root. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
