import { z } from 'zod';
import { CREDENTIAL_LENGTH, ENCODE_BYTES } from '../limits.ts';
import type { Credentials } from '../protocol/credentials.ts';
import { outgoingSchema } from '../protocol/outgoing.ts';
import type { Invoked, Sent } from './channels.ts';

/** The schemas with which main validates the arguments of each channel. Until then, a window's arguments are `unknown`. */
type Validators<Arguments> = { readonly [C in keyof Arguments]: z.ZodType<Arguments[C]> };

/** The validators of the arguments of spec §6.3's `send` channels. */
export const sentValidators: Validators<Sent> = {
  messenger: z.tuple([]),
  message: z.tuple([outgoingSchema]),
  logout: z.tuple([]),
  nav: z.tuple([z.unknown().optional()]),
};

/** Validates credentials. A name that is null or missing counts as empty (contract §4). */
export const credentialsSchema: z.ZodType<Credentials> = z.object({
  email: z.string(),
  password: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
});

/** Returns whether no field is too long. Longer texts are refused before any pattern is tested on them. */
const isShort = (credentials: Credentials) =>
  Object.values(credentials).every((text) => text.length <= CREDENTIAL_LENGTH);

/** The validators of the arguments of spec §6.3's `invoke` channels. */
export const invokedValidators: Validators<{ [C in keyof Invoked]: Invoked[C]['args'] }> = {
  encode: z.tuple([z.instanceof(ArrayBuffer).refine(({ byteLength }) => byteLength <= ENCODE_BYTES)]),
  auth: z.tuple([credentialsSchema.refine(isShort)]),
};
