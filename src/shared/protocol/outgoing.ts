import { z } from 'zod';
import { ENCODE_BYTES, FILE_BYTES, FILE_NAME_LENGTH, TEXT_LENGTH } from '../limits.ts';

/** Base64 of the maximum length that `encode` returns. */
const encodedBytes = z.base64().max(Math.ceil(ENCODE_BYTES / 3) * 4);

/** A message to the platform, which is sent as one text frame (spec §2.3). The order of the keys is the order in the frame. */
export const outgoingSchema = z.discriminatedUnion('category', [
  z.object({ category: z.literal('text'), text: z.string(), blob: z.null() }),
  z.object({ category: z.literal('audio'), text: z.null(), blob: encodedBytes }),
  z.object({
    category: z.enum(['image', 'file']),
    text: z.string().max(FILE_NAME_LENGTH),
    blob: encodedBytes,
  }),
]);

/** A message to the platform (spec §6.2). */
export type Outgoing = z.infer<typeof outgoingSchema>;

/** The categories of messages to the platform. */
export const OUTGOING_CATEGORIES = [
  'text',
  'audio',
  'image',
  'file',
] as const satisfies readonly Outgoing['category'][];

/** Returns whether a text is the category of an outgoing message. */
export const isOutgoingCategory = (text: string): text is Outgoing['category'] =>
  OUTGOING_CATEGORIES.some((category) => category === text);

/** Encodes a message as the text of a frame. */
export function encodeOutgoing({ category, text, blob }: Outgoing): string {
  return JSON.stringify({ category, text, blob });
}

/** Returns the number of bytes that a base64 text encodes. */
export const base64Bytes = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

/** Returns the length of a message's content: UTF-16 units of a text, bytes of a file or a recording. */
export const contentLength = (outgoing: Outgoing): number =>
  outgoing.category === 'text' ? outgoing.text.length : base64Bytes(outgoing.blob);

/** Returns whether a message is within the limits of spec §8. The window checks before sending; main checks again. */
export function isWithinLimits(outgoing: Outgoing): boolean {
  switch (outgoing.category) {
    case 'text':
      return outgoing.text !== '' && outgoing.text.length < TEXT_LENGTH;
    case 'image':
    case 'file':
      return base64Bytes(outgoing.blob) < FILE_BYTES;
    case 'audio':
      return true;
    default:
      return outgoing satisfies never;
  }
}
