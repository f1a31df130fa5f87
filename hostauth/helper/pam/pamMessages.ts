/*
 * The messages between the helper and a PAM process: lines of JSON on file descriptor 3, a Unix stream socket. The helper
 * sends credentials; the process answers `{"kind":"started"}` before it asks PAM, then the outcome. One sign-in at a time.
 */
import { z } from 'zod';
import { type Credentials, type SignInOutcome, refusalReason } from '../../link/helperProtocol.ts';

/** The result of PAM. */
export type PamOutcome =
  | { readonly kind: 'accepted' }
  | Extract<SignInOutcome, { kind: 'refused' }>
  | {
      readonly kind: 'unavailable';
      readonly reason: 'busy' | 'died' | 'timeout' | 'pam';
      readonly detail?: string | undefined;
    };

/** The file descriptor of the socket, in the PAM process. */
export const PAM_CHANNEL = 3;
/** The longest line, in bytes. A name and a password of the allowed lengths need less, also when all of it is escaped. */
export const MAX_PAM_LINE_BYTES = 4096;

/** The message to the PAM process: a sign-in. */
export const pamRequest: z.ZodType<Credentials> = z.strictObject({
  username: z.string(),
  password: z.string(),
});

/** `started` is sent before PAM is asked: from then on the sign-in must not go to another process. */
export type PamAnswer = { readonly kind: 'started' } | PamOutcome;

/** A message of the PAM process. */
export const pamAnswer: z.ZodType<PamAnswer> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('accepted') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: refusalReason,
    detail: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('unavailable'), reason: z.literal('pam'), detail: z.string().optional() }),
]);

/** The longest name of Linux, in bytes of UTF-8. */
const MAX_USERNAME_BYTES = 32;

/** The longest password of libcrypt and of Linux-PAM, in bytes of UTF-8. */
const MAX_PASSWORD_BYTES = 511;

/** NUL ends a text early; a line end starts another line for tools that read lines. */
const NEVER_IN_TEXT = ['\0', '\r', '\n'];

/** Returns whether credentials may reach PAM. The name must not be empty: PAM would prompt for it. */
export const mayReachPam = ({ username, password }: Credentials): boolean =>
  username !== '' && isPlain(username, MAX_USERNAME_BYTES) && isPlain(password, MAX_PASSWORD_BYTES);

const isPlain = (text: string, maxBytes: number): boolean =>
  Buffer.byteLength(text) <= maxBytes &&
  // A lone surrogate has no UTF-8 and would arrive as another character.
  text.isWellFormed() &&
  !NEVER_IN_TEXT.some((character) => text.includes(character));
