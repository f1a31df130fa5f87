import { z } from 'zod';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';

/** What the PAM process is asked: one question at a time. */
export const pamQuestion: z.ZodType<Credentials> = z.strictObject({
  username: z.string(),
  password: z.string(),
});

/** What it says before it asks PAM: the question must not be put to another process from then on. */
export interface PamBegun {
  readonly kind: 'begun';
}

/** What it answers. */
export const pamAnswer: z.ZodType<PamBegun | PamOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('begun') }),
  z.strictObject({ kind: z.literal('accepted') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['credentials', 'expired', 'must-change', 'account']),
    detail: z.string().optional(),
  }),
]);
