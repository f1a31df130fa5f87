import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { errorCode } from '#shared/errorCode.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import type { Logger } from '#log/createLogger.ts';
import { quarantineFile } from '#files/quarantineFile.ts';
import { writeFileAtomically } from '#files/writeFileAtomically.ts';
import { type AccountState, signedOutState } from './account.ts';

/** The part of Electron's safeStorage that the file needs. Without encryption the account is stored as plain text. */
export interface Encryption {
  isEncryptionAvailable(): boolean;
  encryptString(plain: string): Buffer;
  decryptString(encrypted: Buffer): string;
}

/** A redux-persist storage engine for the one key `account` (spec §2.2); values are objects, not strings. */
export interface AccountFile {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: unknown): Promise<void>;
  removeItem(key: string): Promise<void>;
}

const storedSchema = z.object({
  version: z.literal(1),
  platform: z.string().min(1),
  account: z.union([z.string().min(1), z.object({ encrypted: z.base64() })]),
});

const stateSchema = z.object({ id: z.string().nullable(), platform: z.string().nullable() });

interface Options {
  readonly path: string;
  readonly encryption: Encryption;
  readonly log: Logger;
}

/**
 * Stores the account in one file, atomically. A corrupt file is quarantined; a file that this host cannot decrypt is left
 * unchanged; both mean signed out (contract §2). The file is written only when the account changes, and deleted only when
 * the account is signed out: redux-persist also saves what it has just read, and an account of another platform, or one
 * that could not be read, was never loaded.
 */
export function accountFile(options: Options): AccountFile {
  const { path, encryption, log } = options;
  let inFile: AccountState = signedOutState;
  let isSignedIn = false;

  const load = (): AccountState | undefined => {
    const stored = readAccount(options);
    if (stored !== undefined) inFile = stored;
    return stored;
  };
  const remove = () => {
    if (!isSignedIn) return;
    rmSync(path, { force: true });
    isSignedIn = false;
    inFile = signedOutState;
  };
  const save = ({ id, platform }: AccountState) => {
    if (id === null) return remove();
    isSignedIn = true;
    if (id === inFile.id && platform === inFile.platform) return;
    writeFileAtomically(path, JSON.stringify({ version: 1, platform, account: encrypt(id, encryption) }));
    inFile = { id, platform };
  };

  return {
    async getItem() {
      try {
        return load();
      } catch (error) {
        log.error({ code: errorCode(error) }, 'the account file could not be read: signed out');
        return undefined;
      }
    },
    async setItem(_, value) {
      try {
        save(stateSchema.parse(value));
      } catch (error) {
        log.error(
          { code: errorCode(error) },
          'the account could not be stored: the next start is signed out',
        );
      }
    },
    removeItem: async () => remove(),
  };
}

/** Reads the file; returns `undefined` when there is none, or when it cannot be used. */
function readAccount({ path, encryption, log }: Options): AccountState | undefined {
  if (!existsSync(path)) return undefined;
  const contents = storedSchema.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data;
  if (contents === undefined) {
    const kept = quarantineFile(path);
    log.error({ kept }, 'the account file is corrupt: signed out, and a copy is kept');
    return undefined;
  }
  const id = decrypt(contents.account, encryption);
  if (id === undefined) {
    log.warn(
      { path },
      'the account file was encrypted on another host: signed out, and the file is unchanged',
    );
    return undefined;
  }
  return { id, platform: contents.platform };
}

type Stored = z.infer<typeof storedSchema>;

const encrypt = (id: string, encryption: Encryption): Stored['account'] =>
  encryption.isEncryptionAvailable() ? { encrypted: encryption.encryptString(id).toString('base64') } : id;

function decrypt(account: Stored['account'], encryption: Encryption): string | undefined {
  if (typeof account === 'string') return account;
  try {
    return encryption.decryptString(Buffer.from(account.encrypted, 'base64'));
  } catch {
    return undefined;
  }
}
