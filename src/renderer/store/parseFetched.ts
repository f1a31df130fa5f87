import { z } from 'zod';
import type { ConversationPart } from '#shared/conversation/conversationPart.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { FetchedState } from './windowReducer.ts';

// Main has checked every frame and made this JSON; here it is only told apart from anything else.
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
 * A part of the conversation, as main has written it.
 * @throws {Error} when it is not a part.
 */
export const parsePart = (text: string): ConversationPart => partSchema.parse(JSON.parse(text));

/**
 * Main's state, as main has written it.
 * @throws {Error} when it is not main's state.
 */
export const parseState = (text: string): z.infer<typeof stateSchema> => stateSchema.parse(JSON.parse(text));
