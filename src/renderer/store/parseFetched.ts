import { z } from 'zod';
import type { ConversationPart } from '#shared/conversation/conversation.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { FetchedState } from './syncActions.ts';

// Main has validated every frame and created this JSON, so these schemas check only its outer structure.
const partSchema = z.object({
  length: z.number(),
  from: z.number(),
  messages: z.custom<readonly Message[]>(Array.isArray),
});
const stateSchema = z.object({
  state: z.custom<FetchedState>((state) => z.looseObject({ sequence: z.number() }).safeParse(state).success),
  start: z.number(),
  newest: partSchema,
});

/**
 * Parses a part of the conversation.
 * @throws {Error} when the text is not a part.
 */
export const parsePart = (text: string): ConversationPart => partSchema.parse(JSON.parse(text));

/**
 * Parses main's state.
 * @throws {Error} when the text is not main's state.
 */
export const parseState = (text: string): z.infer<typeof stateSchema> => stateSchema.parse(JSON.parse(text));
