import type { SafeStorage } from 'electron';
import { z } from 'zod';
import { isJsonObject } from '#shared/json.ts';

/**
 * The part of Electron's safeStorage that files with a secret need. Without encryption a secret is stored as plain text. The
 * synchronous methods would block every window while the keyring asks the person for its password.
 */
export type Encryption = Pick<
  SafeStorage,
  'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'
>;

/** The schema of a secret in a file: encrypted, or as plain text where the system has no encryption. */
export const storedSecretSchema = z.union([z.string().min(1), z.object({ encrypted: z.base64() })]);

/** A secret in a file. */
type StoredSecret = z.infer<typeof storedSecretSchema>;

/** Returns a secret as a file contains it. */
export const encryptSecret = async (secret: string, encryption: Encryption): Promise<StoredSecret> =>
  (await encryption.isAsyncEncryptionAvailable())
    ? { encrypted: (await encryption.encryptStringAsync(secret)).toString('base64') }
    : secret;

/** Returns the secret of a file; `undefined` when it was encrypted on another host. */
export async function decryptSecret(stored: StoredSecret, encryption: Encryption) {
  if (typeof stored === 'string') return { result: stored, shouldReEncrypt: false };
  try {
    return await encryption.decryptStringAsync(Buffer.from(stored.encrypted, 'base64'));
  } catch {
    return undefined;
  }
}

/** The version of a file that this program writes. */
export const FILE_VERSION = 1;

/** The version of a file that this program reads. From a newer one it uses the fields that it knows, and it keeps the others. */
export const fileVersionSchema = z.int().min(FILE_VERSION);

/** Returns whether a newer program has written these contents of a file: when they cannot be used, the file is not corrupt. */
export const isOfNewerVersion = (contents: unknown): boolean =>
  isJsonObject(contents) && typeof contents['version'] === 'number' && contents['version'] > FILE_VERSION;
