import { z } from 'zod';
import { isJsonObject } from '#shared/json.ts';

/** The version of a file that this program writes. */
export const FILE_VERSION = 1;

/** The version of a file that this program reads. From a newer one it uses the fields that it knows, and it keeps the others. */
export const fileVersionSchema = z.int().min(FILE_VERSION);

/** Returns whether a newer program has written these contents of a file: when they cannot be used, the file is not corrupt. */
export const isOfNewerVersion = (contents: unknown): boolean =>
  isJsonObject(contents) && typeof contents['version'] === 'number' && contents['version'] > FILE_VERSION;
