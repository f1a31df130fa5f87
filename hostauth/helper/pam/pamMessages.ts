/*
 * The messages between the helper and a PAM process: lines of JSON on file descriptor 3, a Unix stream socket. While a
 * sign-in is in progress, the process may get the next one:
 *
 *   helper   ask A          next B                                       next C              withdraw
 *   process       started A         accepted A, started B (one write)            accepted B            withdrawn C
 *
 * The process begins the next sign-in at once when the one before it was accepted, and discards it otherwise: the slot of a
 * refusal becomes free later (`refusalDelay.ts`), and the helper still has the sign-in.
 */
import { z } from 'zod';
import type { PamOutcome } from './authenticator.ts';

/** The file descriptor of the socket, in the PAM process. */
export const PAM_CHANNEL = 3;
/** The longest line, in bytes. A name and a password of the allowed lengths need less, also when all of it is escaped. */
export const MAX_PAM_LINE_BYTES = 4096;

const credentials = { username: z.string(), password: z.string() };

/** A message to the PAM process. `withdraw` takes back the next sign-in; it has no answer when that has begun. */
export const pamRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ask'), ...credentials }),
  z.strictObject({ kind: z.literal('next'), ...credentials }),
  z.strictObject({ kind: z.literal('withdraw') }),
]);
/** A request to a PAM process. */
export type PamRequest = z.infer<typeof pamRequest>;

/** `started` is sent before PAM is asked: from then on the sign-in must not go to another process. */
export type PamNotice = { readonly kind: 'started' } | { readonly kind: 'withdrawn' };

/** A message of the PAM process. */
export const pamAnswer: z.ZodType<PamNotice | PamOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('withdrawn') }),
  z.strictObject({ kind: z.literal('accepted') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['credentials', 'expired', 'must-change', 'account']),
    detail: z.string().optional(),
  }),
]);
