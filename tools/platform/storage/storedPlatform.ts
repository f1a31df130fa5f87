import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';
import type { StoredConversation } from './newestMessages.ts';
import { type PasswordHash, passwordHashSchema } from './passwords.ts';

/** A stored account. */
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

/** A stored account. */
export const accountSchema = z.object({
  id: z.string().min(1),
  email: z.string().min(1),
  password: passwordHashSchema,
  conversation: z.object({ person: z.string(), messages: z.array(messageSchema) }),
});

const HEAD = { format: 'parley-platform', version: 1 } as const;

const fileSchema = z.object({
  format: z.literal(HEAD.format),
  version: z.literal(HEAD.version),
  /** Increases with each write; the journal names the generation that it continues. Version 0.1.0 wrote none. */
  generation: z.number().int().default(0),
  accounts: z.array(accountSchema),
});

/** The contents of the file. */
export type StoredPlatform = Pick<z.infer<typeof fileSchema>, 'generation' | 'accounts'>;

/** Returns the file's text. */
export const writeStored = (accounts: readonly StoredAccount[], generation = 0): string =>
  JSON.stringify({ ...HEAD, generation, accounts });

/** Parses a file's text; returns `null` when it is not valid. */
export function readStored(text: string): StoredPlatform | null {
  return fileSchema.safeParse(tryParseJson(text)).data ?? null;
}
