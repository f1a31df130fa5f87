import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { messageSchema } from './messageSchema.ts';
import type { StoredConversation } from './newestMessages.ts';
import { type PasswordHash, passwordHashSchema } from './passwords.ts';

/** An account of `platform.json`. */
export const jsonAccountSchema = z.object({
  id: z.string().min(1),
  email: z.string().min(1),
  password: passwordHashSchema,
  conversation: z.object({ person: z.string(), messages: z.array(messageSchema) }),
});

const fileSchema = z.object({
  format: z.literal('parley-platform'),
  version: z.literal(1),
  /** The journal names the generation that it continues. Version 0.1.0 wrote none. */
  generation: z.number().int().default(0),
  accounts: z.array(jsonAccountSchema),
});

/** An account of `platform.json`. */
export interface JsonAccount {
  readonly id: string;
  readonly email: string;
  readonly password: PasswordHash;
  readonly conversation: StoredConversation;
}

/** The contents of `platform.json`. */
interface PlatformJson {
  readonly generation: number;
  readonly accounts: readonly JsonAccount[];
}

/** Parses the text of `platform.json`; returns `null` when it is not valid. */
export const readPlatformJson = (text: string): PlatformJson | null =>
  fileSchema.safeParse(tryParseJson(text)).data ?? null;
