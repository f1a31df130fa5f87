import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import type { AccountEntry } from './accountProof.ts';

/** The host's own files of accounts. */
interface AccountFiles {
  readonly passwd: string;
  readonly shadow: string;
}

/** The host's own account files. */
const ACCOUNT_FILES: AccountFiles = { passwd: '/etc/passwd', shadow: '/etc/shadow' };

/** The accounts in the host's own files; others come from the name service. */
export interface LocalAccounts {
  /** Returns the current account of a name; `undefined` when the files do not have it. */
  find(username: string): AccountEntry | undefined;
  /** Returns the line of shadow; empty when there is none. */
  shadowLine(username: string): string;
}

/** Creates the accounts of two files. They are read again only when they have changed: a lookup costs two `stat` calls. */
export function createLocalAccounts(files: AccountFiles = ACCOUNT_FILES): LocalAccounts {
  const passwd = createLineIndex(files.passwd);
  const shadow = createLineIndex(files.shadow);
  return {
    find(username) {
      const fields = passwd(username)?.split(':');
      return fields && parseEntry(fields, shadow(username));
    },
    shadowLine: (username) => shadow(username) ?? '',
  };
}

/** Creates an entry from the fields of a passwd line and its shadow line. */
export function parseEntry(fields: readonly string[], shadowLine = ''): AccountEntry | undefined {
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

/**
 * Finds lines by their first field. Of two lines with one name the first counts, as for the C library. Only
 * requested lines are decoded: a file of 10 MB costs a few milliseconds after each change, not some hundred.
 */
function createLineIndex(path: string): (name: string) => string | undefined {
  let version = '';
  let text: Buffer = Buffer.alloc(0);
  // Only names that exist: callers can send any number of others.
  const found = new Map<string, string>();
  return (name) => {
    const now = versionOf(path);
    if (now !== version) {
      text = read(path);
      found.clear();
      version = now;
    }
    const line = found.get(name) ?? findLine(text, name);
    if (line !== undefined) found.set(name, line);
    return line;
  };
}

function findLine(text: Buffer, name: string): string | undefined {
  // Lines that begin with `+` or `-` include or exclude accounts of NIS: they are not accounts.
  if (!/^[^+:\n-][^:\n]*$/.test(name)) return undefined;
  const key = Buffer.from(`\n${name}:`);
  const isFirst = text.subarray(0, key.length - 1).equals(key.subarray(1));
  const start = isFirst ? 0 : text.indexOf(key) + 1;
  if (start === 0 && !isFirst) return undefined;
  const end = text.indexOf('\n', start);
  return text.toString('utf8', start, end === -1 ? text.length : end);
}

/** Tools replace these files, so that the inode changes too. Empty when the file does not exist. */
function versionOf(path: string): string {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
}

/** Reads a file; empty when this process may not, as shadow when the service does not run as root. */
function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
