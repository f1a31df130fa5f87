import { createReducer } from '@reduxjs/toolkit';
import { Mutex } from 'async-mutex';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import { quarantineFile, writeFileAtomically } from '#node/writeFileAtomically.ts';
import { signedIn, signedOut } from '#shared/actions/mainActions.ts';
import { errorCode } from '#shared/formatText.ts';
import { tryParseJson } from '#shared/json.ts';
import {
  decryptSecret,
  type Encryption,
  encryptSecret,
  FILE_VERSION,
  fileVersionSchema,
  isOfNewerVersion,
  storedSecretSchema,
} from '../base/storedSecret.ts';

/** A redux-persist storage engine for the one key `account` (spec §2.2); values are objects, not strings. */
export interface AccountFile {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: unknown): Promise<void>;
  removeItem(key: string): Promise<void>;
}

/** Other fields are those of a newer version. */
const storedSchema = z.looseObject({
  version: fileVersionSchema,
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
 * Stores the account in one file, atomically. A corrupt file is quarantined; a file that this host cannot decrypt, or that a newer version wrote
 * in another form, is left unchanged; all mean signed out (contract §2). Fields of a newer version stay when the same account
 * is written again. The file is written only when the account changes, and deleted only when the account is signed out: redux-persist also saves what it has just read, and an account of another platform, or one
 * that could not be read, was never loaded. With an old key, the saving of what was read encrypts it again.
 */
export function accountFile(options: Options): AccountFile {
  const { path, encryption, log } = options;
  let inFile: Stored | undefined;
  let isSignedIn = false;
  /** Encryption takes time: the write of a sign-in must not end after a sign-out. */
  const mutex = new Mutex();

  const remove = () => {
    if (!isSignedIn) return;
    rmSync(path, { force: true });
    isSignedIn = false;
    inFile = undefined;
  };
  const save = async (state: AccountState) => {
    if (state.id === null) return remove();
    isSignedIn = true;
    const same = inFile !== undefined && isSame(state, inFile.account) ? inFile : undefined;
    if (same?.shouldReEncrypt === false) return;
    const account = await encryptSecret(state.id, encryption);
    const contents = { version: FILE_VERSION, ...same?.contents, platform: state.platform, account };
    writeFileAtomically(path, JSON.stringify(contents));
    inFile = { account: state, contents, shouldReEncrypt: false };
  };

  return {
    async getItem() {
      try {
        return await mutex.runExclusive(async () => {
          inFile = await readAccount(options);
          return inFile?.account;
        });
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

const isSame = (one: AccountState, other: AccountState) =>
  one.id === other.id && one.platform === other.platform;

/** The account in the file. */
interface Stored {
  readonly account: AccountState;
  /** The file's fields, also those of a newer version: they belong to this account. */
  readonly contents: Readonly<Record<string, unknown>>;
  readonly shouldReEncrypt: boolean;
}

/** Reads the file; resolves to `undefined` when there is none, or when it cannot be used. */
async function readAccount({ path, encryption, log }: Options): Promise<Stored | undefined> {
  if (!existsSync(path)) return undefined;
  const json = tryParseJson(readFileSync(path, 'utf8'));
  const contents = storedSchema.safeParse(json).data;
  if (contents === undefined && isOfNewerVersion(json)) {
    log.warn({ path }, 'the account file is of a newer version: signed out, and the file is unchanged');
    return undefined;
  }
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
  return { account: { id, platform: contents.platform }, contents, shouldReEncrypt };
}

/** The signed-in account and its platform: the identifier is a credential of that platform only (contract §2). */
export interface AccountState {
  readonly id: string | null;
  readonly platform: string | null;
}

/** The state without an account. */
export const signedOutState: AccountState = { id: null, platform: null };

/** Reduces the account. */
export const accountReducer = createReducer(signedOutState, (builder) =>
  builder
    .addCase(signedIn, (_, { payload }): AccountState => payload)
    .addCase(signedOut, () => signedOutState),
);
