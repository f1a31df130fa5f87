import { z } from 'zod';

const text = z.string().nullish();

/** A part of a text that some services send as a list: what is neither text nor reasoning has no words. */
const partSchema = z.object({
  text,
  thinking: z.union([z.string(), z.array(z.object({ text }))]).nullish(),
});

const deltaSchema = z.object({
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  refusal: text,
  reasoning_content: text,
  reasoning: text,
});

const usageSchema = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });

/**
 * A frame of the public format: a chunk of a stream (`delta`), or a complete answer (`message`). Other fields are ignored. The
 * last chunk of a stream can have no choices, and an error can come in the middle of a stream: as `error`, or as an `object` of
 * that name.
 */
export const answerFrameSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: deltaSchema.nullish(),
        message: deltaSchema.nullish(),
        finish_reason: text.catch(null),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish().catch(null),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  message: z.unknown().optional(),
  code: z.unknown().optional(),
});

/** A frame of an answer. */
export type AnswerFrame = z.infer<typeof answerFrameSchema>;
