import type { Credentials } from '../../link/helperProtocol.ts';

/** Linux has no longer names. Bytes of UTF-8. */
export const MAX_USERNAME_BYTES = 32;

/** authenticate-pam cuts at 127 bytes, and reads past what it copied when a text fills all of them. Bytes of UTF-8. */
export const MAX_PASSWORD_BYTES = 126;

/** NUL would end a text early; a line's end starts another answer for tools that read lines. */
const NEVER_IN_TEXT = ['\0', '\r', '\n'];

/**
 * Whether credentials may reach PAM. The name must not be empty: PAM would ask for it, and authenticate-pam answers
 * whatever it is asked with the password.
 */
export const mayReachPam = ({ username, password }: Credentials): boolean =>
  username !== '' && isPlain(username, MAX_USERNAME_BYTES) && isPlain(password, MAX_PASSWORD_BYTES);

const isPlain = (text: string, maxBytes: number): boolean =>
  Buffer.byteLength(text) <= maxBytes &&
  // A lone surrogate has no UTF-8: it would arrive as another character.
  text.isWellFormed() &&
  !NEVER_IN_TEXT.some((character) => text.includes(character));
