import { z } from 'zod';

const itemSchema = z.looseObject({
  category: z.string().exactOptional(),
  text: z.string().nullable().exactOptional(),
  html: z.string().nullable().exactOptional(),
  blob: z.string().nullable().exactOptional(),
});

/** A stored message. Unknown fields are kept. */
export const messageSchema = z.looseObject({
  id: z.string().exactOptional(),
  modifier: z.string().exactOptional(),
  content: z.array(itemSchema).exactOptional(),
  context: z.string().exactOptional(),
  avatar: z.string().exactOptional(),
  seen: z.boolean().exactOptional(),
});
