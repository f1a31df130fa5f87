import { existsSync, readFileSync, rmSync } from 'node:fs';
import { Mutex } from 'async-mutex';
import { z } from 'zod';
import { errorCode } from '#shared/errorCode.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import type { Logger } from '#log/createLogger.ts';
import { quarantineFile } from '#files/quarantineFile.ts';
import { writeFileAtomically } from '#files/writeFileAtomically.ts';
import { type Encryption, decryptSecret, encryptSecret, storedSecretSchema } from '../base/storedSecret.ts';
import { type AccountState, signedOutState } from './account.ts';

/** A redux-persist storage engine for the one key `account` (spec §2.2); values are objects, not strings. */
export interface AccountFile {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: unknown): Promise<void>;
  removeItem(key: string): Promise<void>;
}

const storedSchema = z.object({
  version: z.literal(1),
  platform: z.string().min(1),
  account: storedSecretSchema,
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
 * that could not be read, was never loaded. With an old key, the saving of what was read encrypts it again.
 */
export function accountFile(options: Options): AccountFile {
  const { path, encryption, log } = options;
  let inFile: AccountState = signedOutState;
  let isSignedIn = false;
  /** Encryption takes time: the write of a sign-in must not end after a sign-out. */
  const mutex = new Mutex();

  const load = async (): Promise<AccountState | undefined> => {
    const stored = await readAccount(options);
    if (stored?.shouldReEncrypt === false) inFile = stored.account;
    return stored?.account;
  };
  const remove = () => {
    if (!isSignedIn) return;
    rmSync(path, { force: true });
    isSignedIn = false;
    inFile = signedOutState;
  };
  const save = async ({ id, platform }: AccountState) => {
    if (id === null) return remove();
    isSignedIn = true;
    if (id === inFile.id && platform === inFile.platform) return;
    const account = await encryptSecret(id, encryption);
    writeFileAtomically(path, JSON.stringify({ version: 1, platform, account }));
    inFile = { id, platform };
  };

  return {
    async getItem() {
      try {
        return await mutex.runExclusive(load);
      } catch (error) {
        log.error({ code: errorCode(error) }, 'the account file could not be read: signed out');
        return undefined;
      }
    },
    async setItem(_, value) {
      try {
        const state = stateSchema.parse(value);
        await mutex.runExclusive(() => save(state));
      } catch (error) {
        log.error(
          { code: errorCode(error) },
          'the account could not be stored: the next start is signed out',
        );
      }
    },
    removeItem: async () => mutex.runExclusive(remove),
  };
}

interface Read {
  readonly account: AccountState;
  readonly shouldReEncrypt: boolean;
}

/** Reads the file; resolves to `undefined` when there is none, or when it cannot be used. */
async function readAccount({ path, encryption, log }: Options): Promise<Read | undefined> {
  if (!existsSync(path)) return undefined;
  const contents = storedSchema.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data;
  if (contents === undefined) {
    const kept = quarantineFile(path);
    log.error({ kept }, 'the account file is corrupt: signed out, and a copy is kept');
    return undefined;
  }
  const decrypted = await decryptSecret(contents.account, encryption);
  if (decrypted === undefined) {
    log.warn(
      { path },
      'the account file was encrypted on another host: signed out, and the file is unchanged',
    );
    return undefined;
  }
  const { result: id, shouldReEncrypt } = decrypted;
  return { account: { id, platform: contents.platform }, shouldReEncrypt };
}
