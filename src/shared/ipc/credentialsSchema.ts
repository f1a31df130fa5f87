import { z } from 'zod';
import type { Credentials } from '../protocol/credentials.ts';

/** Validates credentials. A name that is null or missing counts as empty (contract §4). */
export const credentialsSchema: z.ZodType<Credentials> = z.object({
  email: z.string(),
  password: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
});
