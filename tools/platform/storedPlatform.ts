import { z } from 'zod';
import { parsedJson } from '#shared/parsedJson.ts';
import type { StoredConversation } from './kept.ts';
import { type PasswordHash, passwordHashSchema } from './passwords.ts';

/** An account as the file holds it. */
export interface StoredAccount {
  readonly id: string;
  readonly email: string;
  readonly password: PasswordHash;
  readonly conversation: StoredConversation;
}

const itemSchema = z.looseObject({
  category: z.string().exactOptional(),
  text: z.string().nullable().exactOptional(),
  html: z.string().nullable().exactOptional(),
  blob: z.string().nullable().exactOptional(),
});

const messageSchema = z.looseObject({
  id: z.string().exactOptional(),
  modifier: z.string().exactOptional(),
  content: z.array(itemSchema).exactOptional(),
  context: z.string().exactOptional(),
  avatar: z.string().exactOptional(),
  seen: z.boolean().exactOptional(),
});

const accountSchema = z.object({
  id: z.string().min(1),
  email: z.string().min(1),
  password: passwordHashSchema,
  conversation: z.object({ person: z.string(), messages: z.array(messageSchema) }),
});

const HEAD = { format: 'parley-platform', version: 1 } as const;

const fileSchema = z.object({
  format: z.literal(HEAD.format),
  version: z.literal(HEAD.version),
  accounts: z.array(accountSchema),
});

/** The file's text for these accounts. */
export const writeStored = (accounts: readonly StoredAccount[]): string =>
  JSON.stringify({ ...HEAD, accounts });

/** The accounts that a file's text holds, or `null` when it is not one of ours. */
export function readStored(text: string): readonly StoredAccount[] | null {
  const result = fileSchema.safeParse(parsedJson(text));
  return result.success ? result.data.accounts : null;
}
