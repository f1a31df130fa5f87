import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../base/errors.ts';

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

/** Returns whether no password is right for an account (`usermod --lock`, system accounts). */
export const isLocked = ({ password }: AccountEntry): boolean => /^[!*]/.test(password);

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

/** The entries of an account in passwd and shadow, as far as a session depends on them. */
export interface AccountEntry {
  readonly username: string;
  readonly uid: number;
  /** The fields of passwd: name, uid, gid, home and shell. */
  readonly identity: string;
  /** The password field of shadow; empty where there is no shadow entry. */
  readonly password: string;
  /** The other fields of shadow: dates of the last change, of expiry, and so on. */
  readonly aging: string;
}

/** How an account differs from the one that signed in. */
type AccountDifference = 'none' | 'uid' | 'password' | 'changed';

/** The content of a proof. The digests are keyed: they reveal nothing of shadow. */
const proofSchema = z.strictObject({
  username: z.string(),
  uid: z.int(),
  /** Of the password field. */
  password: z.string(),
  /** Of all other fields. */
  entry: z.string(),
  /** When the account signed in, in seconds since 1970. */
  at: z.int(),
});
/** The content of an account proof. */
export type AccountProof = z.infer<typeof proofSchema>;

/**
 * Account proofs: the account that signed in, and its entries at that time. They are stateless, so the helper stores
 * nothing. Only the helper has the key, so no other program can issue one. A proof has no secret of the account but grants
 * its rights: it never leaves the HTTP process.
 */
export interface AccountProofs {
  /** Issues the proof of an account. @param at in seconds since 1970. */
  issue(entry: AccountEntry, at: number): string;
  /** Validates a proof; returns `undefined` when it was not issued with this key. */
  open(proof: string): AccountProof | undefined;
  /** Compares an account now with the one that signed in. */
  compare(proof: AccountProof, entry: AccountEntry): AccountDifference;
}

/** Creates the proofs of a key. @param key 32 random bytes. */
export function createAccountProofs(key: Buffer): AccountProofs {
  const digest = (purpose: string, ...texts: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...texts]))
      .digest('base64url');
  const passwordOf = ({ username, password }: AccountEntry) => digest('password', username, password);
  const entryOf = ({ identity, aging }: AccountEntry) => digest('entry', identity, aging);

  return {
    issue(entry, at) {
      const proof: AccountProof = {
        username: entry.username,
        uid: entry.uid,
        password: passwordOf(entry),
        entry: entryOf(entry),
        at,
      };
      const body = Buffer.from(JSON.stringify(proof)).toString('base64url');
      return `${body}.${digest('proof', body)}`;
    },
    open(proof) {
      const [body = '', mac = '', ...more] = proof.split('.');
      if (more.length > 0 || !isEqual(mac, digest('proof', body))) return undefined;
      return proofSchema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    },
    compare(proof, entry) {
      if (entry.uid !== proof.uid) return 'uid';
      if (!isEqual(passwordOf(entry), proof.password)) return 'password';
      return isEqual(entryOf(entry), proof.entry) ? 'none' : 'changed';
    },
  };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const KEY_BYTES = 32;

/**
 * Loads the key of the account proofs, or creates it. In a runtime folder it is stored in a file that only root can read, so
 * that sessions survive a restart of the helper; without a folder it exists in memory only.
 * @param runtimeFolder `RUNTIME_DIRECTORY` of systemd.
 */
export function loadProofKey(runtimeFolder: string | undefined): Buffer {
  const created = randomBytes(KEY_BYTES);
  if (!runtimeFolder) return created;
  const path = join(runtimeFolder.split(':')[0] ?? '', 'proof.key');
  try {
    writeFileSync(path, created, { flag: 'wx', mode: 0o600 });
    return created;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const stored = readFileSync(path);
  if (stored.length === KEY_BYTES) return stored;
  // A process that was killed while it wrote has left a part of the key.
  writeFileSync(path, created, { mode: 0o600 });
  return created;
}
