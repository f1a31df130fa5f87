import { z } from 'zod';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';

/** A request to the PAM process: one at a time. */
export const pamRequest: z.ZodType<Credentials> = z.strictObject({
  username: z.string(),
  password: z.string(),
});

/** Sent before PAM is asked: from then on the request must not go to another process. */
export interface PamStarted {
  readonly kind: 'started';
}

/** An answer of the PAM process. */
export const pamAnswer: z.ZodType<PamStarted | PamOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('accepted') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['credentials', 'expired', 'must-change', 'account']),
    detail: z.string().optional(),
  }),
]);
