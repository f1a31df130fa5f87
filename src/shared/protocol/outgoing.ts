import { z } from 'zod';

/** A message from the client to the platform, one text frame (spec §2.3). Keys stay in this order on the wire. */
export const outgoingSchema = z.discriminatedUnion('category', [
  z.object({ category: z.literal('text'), text: z.string(), blob: z.null() }),
  z.object({ category: z.literal('audio'), text: z.null(), blob: z.base64() }),
  z.object({ category: z.enum(['image', 'file']), text: z.string(), blob: z.base64() }),
]);

export type Outgoing = z.infer<typeof outgoingSchema>;

/** The frame's text. */
export function encodeOutgoing({ category, text, blob }: Outgoing): string {
  return JSON.stringify({ category, text, blob });
}
