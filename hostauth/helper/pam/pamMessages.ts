import { z } from 'zod';
import type { Credentials, PamOutcome } from './authenticator.ts';

/** What the PAM process is asked: one question at a time. */
export const pamQuestion: z.ZodType<Credentials> = z.strictObject({
  username: z.string(),
  password: z.string(),
});

/** What it answers. */
export const pamAnswer: z.ZodType<PamOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accepted') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['credentials', 'expired', 'must-change', 'account']),
    detail: z.string().optional(),
  }),
]);
